// Shared by the pattern and the plans of rows.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/rows/problems.hpp"

namespace warpwright::rows {

/// in, weight and bias (as the operation has them) and out.
std::vector<Buffer> buffers(const Problem& problem);

/// The C++ name of the elements' type, and of the operation.
std::vector<std::string> entry_arguments(const Problem& problem);

/// The matrix as an argument of a launch.
ValueArgument matrix_argument(const Problem& problem);

/// How the threads of a launch share rows.
struct row_grid {
  std::int64_t blocks = 0;
  int block_size = 0;
  int cluster = 1;  ///< blocks
  std::int64_t shared_bytes = 0;
};

/// A launch of `function` with in, weight, bias and out, then `more`, then the matrix. Without weights or biases it
/// gets `in` in their place, which it does not read.
Step row_step(const PlanRequest& request, const std::string& function, const row_grid& grid,
              std::vector<Argument> more = {});

/// One such launch; none for an empty matrix.
Plan row_plan(const PlanRequest& request, const std::string& function, const row_grid& grid);

/// The most blocks of a grid.
inline constexpr std::int64_t kMostBlocks = 0x7fffffff;

/// Why a kernel that needs this many blocks, and whose threads take vectors of this many elements, cannot solve the
/// problem; empty if it can.
std::string refusal(const Problem& problem, std::int64_t blocks, int vector_width = 1);

/// Steps of a kernel with this many threads for each row: every one of them takes as many elements as the others, and
/// part in the combination.
double steps_of(const Problem& problem, std::int64_t row_threads);

/// Levels of a tree of this many leaves, a power of two.
int levels_of(int leaves);

/// Whether vectors of `P::vector_width` elements have 16 bytes at most.
template <class P>
bool is_one_access(const P& p, const Surroundings& around) {
  return p.vector_width * static_cast<int>(size_of(around.type())) <= 16;
}
/// Whether a thread holds 256 bytes of elements at most.
template <class P>
bool holds_few(const P& p, const Surroundings& around) {
  return p.held * p.vector_width * static_cast<int>(size_of(around.type())) <= 256;
}
inline constexpr const char* kOneAccess = "accesses of 16 bytes at most";

}  // namespace warpwright::rows
