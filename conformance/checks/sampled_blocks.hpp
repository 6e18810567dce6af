// Checks problems that are too large to run: some blocks of each launch run over sparse memory.
#pragma once

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/client/process.hpp"

namespace warpwright::conformance {

/// Checks bounds, alignment, signed arithmetic and the launches' limits; outputs are not compared, and races not looked
/// for. A kernel whose blocks cannot run without the others is not modelled.
CaseResult check_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process);

}  // namespace warpwright::conformance
