// Halves extents.
#include "kernels/core/halved.hpp"

#include <algorithm>
#include <numeric>

namespace warpwright {

Shape halved(Shape shape, const std::function<bool(const Shape&)>& is_too_large,
             const std::function<bool(const Shape&)>& takes) {
  while (is_too_large(shape)) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return shape[i]; });
    const auto half = [&](std::size_t i) {
      Shape smaller = shape;
      smaller[i] /= 2;
      return smaller;
    };
    const auto found = std::ranges::find_if(order, [&](std::size_t i) { return shape[i] / 2 >= 1 && takes(half(i)); });
    if (found == order.end()) break;
    shape = half(*found);
  }
  return shape;
}

}  // namespace warpwright
