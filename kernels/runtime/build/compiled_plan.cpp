// Compiling a plan's program and comparing it with the plan.
#include "kernels/runtime/build/compiled_plan.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace warpwright::worker {

std::string CompiledPlan::no_model() const {
  if (program.missing_header.empty()) return "";
  if (program.log.find("fatal error: ") != std::string::npos)
    return fmt::format("needs <{}>, which the simulator does not have", program.missing_header);
  constexpr std::string_view mark = ": error: ";
  const std::size_t error = program.log.find(mark);
  const std::size_t line = program.log.rfind('\n', error) + 1;
  return fmt::format("needs {}, which was not found: {}", program.missing_header,
                     program.log.substr(line, program.log.find('\n', error) - line));
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
