// What the pattern and the plans of convolutions have in common.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::convolution {

/// use(T()) with the C++ type of the problem's elements.
template <class Use>
auto with_type_of(const Problem& problem, Use use) {
  switch (problem.type()) {
    case ElementType::f32:
      return use(0.0F);
    case ElementType::f64:
      return use(0.0);
    default:
      throw std::logic_error("convolution has no elements of type " + std::string(name_of(problem.type())));
  }
}

/// image (rows x columns), filter (filter x filter) and out of a problem.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::convolution::border::zero"
std::string border_name(const Problem& problem);

/// Whether places around the image hold its nearest pixel.
inline bool clamps(const Problem& problem) {
  return problem.option("border") == "clamp";
}

/// Taps of the problem's filter.
inline std::int64_t taps(const Problem& problem) {
  return problem.integer("filter") * problem.integer("filter");
}

}  // namespace warpwright::convolution
