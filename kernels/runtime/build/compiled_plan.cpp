// Compiling a plan's program and comparing it with the plan.
#include "kernels/runtime/build/compiled_plan.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace warpwright::worker {

std::string CompiledPlan::no_model() const {
  return program.missing_header.empty() ? "" : fmt::format("the simulator does not have <{}>", program.missing_header);
}

std::string refusal_of(const Plan& plan, const CompiledProgram& program) {
  return program.ok ? argument_mismatch(plan, program) : program.log;
}

CompiledPlan compile_plan(Compiler& compiler, const std::string& target, Plan plan, const Program& program) {
  CompiledPlan compiled{.plan = std::move(plan), .program = compiler.compile_one(target, program)};
  compiled.refusal = refusal_of(compiled.plan, compiled.program);
  return compiled;
}

CompiledPlan compile_plan(Compiler& compiler, const std::string& target, Plan plan, const std::string& source) {
  const Program program = program_of(plan, source);
  return compile_plan(compiler, target, std::move(plan), program);
}

CompiledPlan compile_plan_or_throw(Compiler& compiler, const std::string& target, Plan plan,
                                   const std::string& source) {
  CompiledPlan compiled = compile_plan(compiler, target, std::move(plan), source);
  if (!compiled.refusal.empty()) throw std::runtime_error(compiled.refusal);
  return compiled;
}

}  // namespace warpwright::worker
