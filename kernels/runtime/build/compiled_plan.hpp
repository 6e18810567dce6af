// A plan with its compiled program, or the reason why it cannot run.
#pragma once

#include <string>

#include "kernels/model/plan.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::worker {

struct CompiledPlan {
  Plan plan;
  CompiledProgram program;
  std::string refusal = {};  ///< see refusal_of; empty if the plan can run

  /// Which header the simulator does not have, or was not found; empty if the refusal has another reason, or there is
  /// none.
  std::string no_model() const;
};

/// The compiler's message, or which argument of the plan does not fit the kernel's parameter; otherwise empty.
std::string refusal_of(const Plan& plan, const CompiledProgram& program);

/// Compiles `program`, which holds the entries of the plan and may hold others.
CompiledPlan compile_plan(Compiler& compiler, const std::string& target, Plan plan, const Program& program);

/// Likewise, if all entries of the plan are in the file `source`.
CompiledPlan compile_plan(Compiler& compiler, const std::string& target, Plan plan, const std::string& source);

/// The same. Throws std::runtime_error with the refusal.
CompiledPlan compile_plan_or_throw(Compiler& compiler, const std::string& target, Plan plan, const std::string& source);

}  // namespace warpwright::worker
