// Checks problems that are too large to run: some blocks of each launch run over sparse memory.
#pragma once

#include <optional>
#include <vector>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"
#include "conformance/checks/page_cache.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/client/process.hpp"

namespace warpwright::conformance {

/// Checks bounds, alignment, signed arithmetic, the launches' limits, and reads of shared memory that nobody wrote;
/// outputs are not compared, and races not looked for. Findings of the rules in `lenient` are tolerated. A kernel whose
/// blocks cannot run without the others is not modelled.
CaseResult check_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process, std::vector<StrictRule> lenient = {});

/// Counts the accesses of a few blocks of each launch: of one in the middle of the grid, or of some spread over it if
/// they are short. `access` is what all blocks of the grid do if those are typical. It stays empty for what
/// check_blocks() does not model, for a failure, and for atomics, since their lines may be those of other blocks too.
/// Bounds, alignment, signed arithmetic and the launches' limits of these blocks are checked. `known` has pages of
/// inputs, and gets those that were needed.
CaseResult count_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process, PageCache& known,
                        std::optional<CountedAccess>& access);

}  // namespace warpwright::conformance
