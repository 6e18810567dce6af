// Chooses points of a space that together have many pairs of values, or all values.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::conformance {

/// `count` valid points, or the whole space if it is not larger: the default, then points drawn from the seed. Each is
/// the one of 64 random candidates that has the most pairs of values which no earlier point has. Source: D. Cohen et
/// al., The AETG System, IEEE Transactions on Software Engineering 23(7), 1997.
std::vector<Point> sample_points(const Kernel& kernel, const Surroundings& surroundings, std::size_t count,
                                 std::uint64_t seed);

/// A few valid points that together have every value of every axis, preferring simple points.
std::vector<Point> covering_points(const Kernel& kernel, const Surroundings& surroundings);

}  // namespace warpwright::conformance
