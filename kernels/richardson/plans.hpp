// What the pattern and the plans of Richardson's iteration have in common.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/richardson/problems.hpp"

namespace warpwright::richardson {

/// The matrix (a, for sparse ones behind starts and columns), f, start, x, and taken where sweeps may end early.
std::vector<Buffer> buffers(const Problem& problem);

/// Rows of a matrix: more have no index of type int.
inline constexpr std::int64_t kMostRows = 0x7fffffff;

/// Why the problem is too large for any kernel; empty where it is not.
std::string too_large(const Problem& problem);

/// All sweeps, each one launch of `function` of the kernel (<function>_sparse for sparse matrices) with so many blocks.
/// They go back and forth between x and a buffer beside it, so that the last writes x.
Plan sweeps_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size);

}  // namespace warpwright::richardson
