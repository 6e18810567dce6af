// Shared by the plans of random.
#pragma once

#include "kernels/model/kernel.hpp"
#include "kernels/random/problems.hpp"

namespace warpwright::random {

/// The buffers of a problem: seed and out.
std::vector<Buffer> buffers(const Problem& problem);

/// Number of blocks of the sequence that a problem's numbers come from; 0 if it has no numbers.
std::int64_t sequence_blocks(const Problem& problem);

/// One launch of `function`; none if `blocks` is 0.
Plan random_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

/// Number of factors (1 + d), |d| <= u, by which a normal number may differ from the exact one for the same uniform
/// numbers.
double roundings(const Problem& problem);

}  // namespace warpwright::random
