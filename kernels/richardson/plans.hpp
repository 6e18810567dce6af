// Shared by the pattern and the plans of richardson.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/richardson/problems.hpp"

namespace warpwright::richardson {

/// The buffers of a problem: the matrix (a; for sparse ones after starts and columns), f, start, x, and taken if sweeps
/// may end early.
std::vector<Buffer> buffers(const Problem& problem);

/// Most rows of a matrix, because an index must fit an int.
inline constexpr std::int64_t kMostRows = 0x7fffffff;

/// The reason why the problem is too large for any kernel; empty if it is not.
std::string too_large(const Problem& problem);

/// All sweeps, each one launch of `function` (<function>_sparse for sparse matrices) with this many blocks. They
/// alternate between x and a second buffer, so that the last sweep writes x.
Plan sweeps_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

}  // namespace warpwright::richardson
