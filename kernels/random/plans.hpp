// What the plans of random numbers have in common.
#pragma once

#include "kernels/model/kernel.hpp"
#include "kernels/random/problems.hpp"

namespace warpwright::random {

/// The seed and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// Blocks of the sequence that a problem's numbers come from; 0 for none.
std::int64_t sequence_blocks(const Problem& problem);

/// One launch of `function`; none for no blocks.
Plan random_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

/// Factors (1 + d), |d| <= u, by which a normal number may differ from the exact one of the same uniform numbers.
double roundings(const Problem& problem);

}  // namespace warpwright::random
