// What the pattern and the plans of convolutions have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::convolution {

/// image (rows x columns), filter (filter x filter) and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::convolution::border::zero"
std::string border_name(const Problem& problem);

/// Copies the problem's filter into `filter_values` of its type and taps (filter.cuh).
Step filter_upload(const Problem& problem);

/// The rows and columns of the output that a block of so many threads has.
struct BlockTile {
  std::int64_t rows, columns;
  Dim3 threads;
  std::int64_t shared_bytes = 0;  ///< dynamic
};

/// The launch of `function` (with the problem's type, its border and its filter as template arguments) with a block for
/// each tile, numbered along rows first: its arguments are these buffers, the image's rows and its columns.
Step tile_launch(const PlanRequest& request, const std::string& function, const BlockTile& tile,
                 const std::vector<std::string>& buffers);

/// Why the filter does not fit the constant memory; empty where it does.
std::string too_large_for_constants(const Problem& problem);

/// Whether places around the image hold its nearest pixel.
inline bool clamps(const Problem& problem) {
  return problem.option("border") == "clamp";
}

/// Whether the problem's filter is an outer product of finite numbers.
inline bool is_separable(const Problem& problem) {
  return problem.option("form") == "separable";
}

/// Taps of the problem's filter.
inline std::int64_t taps(const Problem& problem) {
  return problem.integer("filter") * problem.integer("filter");
}

}  // namespace warpwright::convolution
