// Makes shapes smaller.
#pragma once

#include <functional>

#include "kernels/core/shape.hpp"

namespace warpwright {

/// Halves the largest extent, again and again, as long as the shape is too large. An extent whose half is not taken
/// stays as it is, and the next largest is halved.
Shape halved(Shape shape, const std::function<bool(const Shape&)>& is_too_large,
             const std::function<bool(const Shape&)>& takes);

}  // namespace warpwright
