// How accurate right results are: their largest rounding error.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/model/element_type.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright {

/// The largest error of all outputs in floating point. 0: every element is exact. Infinity: not known.
struct Accuracy {
  double relative = 0;  ///< as a share of the element's magnitude (for a sum: the sum of the absolute terms)
  double ulp = 0;       ///< in units in the last place of that magnitude

  void add(const Accuracy& other) {
    relative = std::max(relative, other.relative);
    ulp = std::max(ulp, other.ulp);
  }
};

/// Of outputs of a type whose largest error is so many times its bound. What the bound allows for underflow is left
/// out.
inline Accuracy accuracy_of(double error_ratio, const Bound& bound, ElementType type) {
  if (error_ratio == 0 || !is_floating(type)) return {};
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (bound.comparison != Comparison::bounded || bound.relative == 0) return {.relative = unknown, .ulp = unknown};
  const double relative = error_ratio * bound.relative;
  return {.relative = relative, .ulp = relative / (2 * unit_roundoff(type))};
}

}  // namespace warpwright
