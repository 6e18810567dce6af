// What the plans of random numbers have in common.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::random {

/// The seed and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

bool is_normal(const Problem& problem);
/// Whether normal numbers come from the inverse of their distribution function.
bool is_inverse(const Problem& problem);

/// Where in its sequence a problem begins.
std::uint64_t offset_of(const Problem& problem);

/// Blocks of the sequence that a problem's numbers come from; 0 for none.
std::int64_t sequence_blocks(const Problem& problem);

/// One launch of `function`; none for no blocks.
Plan random_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

/// Why there are no such numbers; empty where there are.
std::string refuses(const Problem& problem);

/// Factors (1 + d), |d| <= u, by which a normal number may differ from the exact one of the same uniform numbers.
double roundings(const Problem& problem);

}  // namespace warpwright::random
