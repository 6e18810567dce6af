// Shared by the pattern and the plans of convolution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::convolution {

/// The buffers of a problem: image (rows x columns), filter (filter x filter) and out.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::convolution::border::zero"
std::string border_name(const Problem& problem);

/// The step that copies the problem's filter to `filter_values` for its type and number of taps (filter.cuh).
Step filter_upload(const Problem& problem);

/// The rows and columns of the output that a block with this many threads computes.
struct BlockTile {
  std::int64_t rows, columns;
  Dim3 threads;
  std::int64_t shared_bytes = 0;  ///< dynamic
};

/// Launches `function` (with the problem's type, border and filter as template arguments) with one block per tile,
/// numbered row by row. Arguments: these buffers, the image's rows and columns.
Step tile_launch(const PlanRequest& request, const std::string& function, const BlockTile& tile,
                 const std::vector<std::string>& buffers);

/// The reason why the filter does not fit into constant memory; empty if it does.
std::string too_large_for_constants(const Problem& problem);

/// Whether positions outside the image take the value of the nearest pixel.
inline bool clamps(const Problem& problem) {
  return problem.option("border") == "clamp";
}

/// Whether the problem's filter is an outer product of finite numbers.
inline bool is_separable(const Problem& problem) {
  return problem.option("form") == "separable";
}

/// Number of taps of the problem's filter.
inline std::int64_t taps(const Problem& problem) {
  return problem.integer("filter") * problem.integer("filter");
}

}  // namespace warpwright::convolution
