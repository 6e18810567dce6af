// Shapes of problems: parsing, printing, and a distance between two shapes.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Numbers of elements per dimension; the last dimension is contiguous in memory.
using Shape = std::vector<std::int64_t>;

// Parses "8192x8192", "1024", "2^20x4" or "1.5e9". Extents must be below 2^63. Throws std::invalid_argument, whose
// message shows the accepted forms.
Shape parse_shape(std::string_view text);

// "8192x8192"
std::string shape_text(const Shape&);

// A shape in its shortest form: "67108864" gives "2^26"; "8192x8192" stays.
std::string short_shape(std::string_view shape);

inline constexpr double no_distance = std::numeric_limits<double>::infinity();

// The sum over the dimensions of |log2((a + 1) / (b + 1))|: doubling one extent adds about 1. Shapes with different
// numbers of dimensions cannot be compared: no_distance.
double shape_distance(const Shape& a, const Shape& b);

}  // namespace warpwright
