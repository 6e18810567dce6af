// A problem: pattern, variant, types and shape; and an input for one: distribution and seed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/element_type.hpp"

namespace warpwright {

struct Problem {
  std::string pattern;                         ///< e.g. "reduce"
  std::map<std::string, std::string> variant;  ///< e.g. {"op", "sum"}
  std::vector<ElementType> types;              ///< the element type first
  std::vector<std::int64_t> shape;             ///< elements per dimension, slowest first; any may be 0

  ElementType type() const { return types.front(); }
  /// The chosen value of a variant axis; throws std::out_of_range.
  const std::string& option(const std::string& axis) const { return variant.at(axis); }
  /// Product of the shape.
  std::int64_t elements() const;
  auto operator<=>(const Problem&) const = default;
};

/// "8192x8192"
std::string shape_text(const std::vector<std::int64_t>& shape);
/// Accepts "8192x8192", "2^28", "2^12x100"; throws std::invalid_argument for anything else or a negative size.
std::vector<std::int64_t> parse_shape(std::string_view text);
/// "op=sum", empty for a pattern without variants.
std::string variant_text(const Problem& problem);
/// "float"
std::string types_text(const Problem& problem);
/// One line of plain values: "reduce[op=sum,float,1024]"
std::string problem_text(const Problem& problem);
/// The inverse of problem_text; throws std::invalid_argument.
Problem parse_problem(std::string_view text);

/// How input values are spread; the generator is kernels/runtime/generate.cuh.
enum class Distribution {
  exact,        ///< small non-zero integers of random sign: every partial sum is representable
  uniform,      ///< [-1, 1)
  normal,       ///< Irwin-Hall approximation of a standard normal
  position,     ///< value tells the index
  alternating,  ///< alternating sign, magnitudes over 2^-20 .. 2^20
  few_values,   ///< four distinct values
  all_equal,    ///< one value
  sorted,       ///< ascending
  reversed,     ///< descending
  special       ///< signed zeros, subnormals, infinities and NaN among ordinary values
};

std::string_view name_of(Distribution distribution);
/// Throws std::invalid_argument with the list of known names.
Distribution distribution_named(std::string_view name);
const std::vector<Distribution>& all_distributions();

struct Input {
  Distribution distribution = Distribution::exact;
  std::uint64_t seed = 1;
  bool operator==(const Input&) const = default;
};

/// "exact:7"
std::string input_text(const Input& input);
/// The inverse; throws std::invalid_argument.
Input parse_input(std::string_view text);

}  // namespace warpwright
