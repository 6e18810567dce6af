// Shapes of problems: extents as text, and how far two of them are from each other.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Elements per dimension, slowest first.
using Shape = std::vector<std::int64_t>;

// Of "8192x8192", "1024" or "2^20x4": extents below 2^63. Throws std::invalid_argument, whose text says what is
// understood.
Shape parse_shape(std::string_view text);

// "8192x8192"
std::string shape_text(const Shape&);

// A shape as people write it: "2^26" of "67108864"; "8192x8192" stays.
std::string short_shape(std::string_view shape);

inline constexpr double no_distance = std::numeric_limits<double>::infinity();

// The sum over the dimensions of |log2((a + 1) / (b + 1))|: doubling one extent is about 1. Shapes of different numbers
// of extents have nothing in common: no_distance.
double shape_distance(const Shape& a, const Shape& b);

}  // namespace warpwright
