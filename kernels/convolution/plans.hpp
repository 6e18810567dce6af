// What the pattern and the plans of convolutions have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::convolution {

/// image (rows x columns), filter (filter x filter) and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::convolution::border::zero"
std::string border_name(const Problem& problem);

/// Copies the problem's filter into `filter_values` of its type and taps (filter.cuh).
Step filter_upload(const Problem& problem);

/// Why the filter does not fit the constant memory; empty where it does.
std::string too_large_for_constants(const Problem& problem);

/// Whether places around the image hold its nearest pixel.
inline bool clamps(const Problem& problem) {
  return problem.option("border") == "clamp";
}

/// Taps of the problem's filter.
inline std::int64_t taps(const Problem& problem) {
  return problem.integer("filter") * problem.integer("filter");
}

}  // namespace warpwright::convolution
