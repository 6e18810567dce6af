// A problem (pattern, variant, named numbers, types, shape, data), and an input for one check (kind, seed).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/settings.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/model/element_type.hpp"

namespace warpwright {

struct Problem {
  std::string pattern;                              ///< e.g. "histogram"
  std::map<std::string, std::string> variant = {};  ///< e.g. {"op", "sum"}
  std::map<std::string, double> numbers = {};       ///< e.g. {"bins", 256}; integers are exact up to 2^53
  std::vector<ElementType> types = {};              ///< the element type first
  Shape shape = {};                                 ///< elements per dimension, slowest first; may be 0
  std::string data = "uniform";                     ///< the data set that it is timed with

  ElementType type() const { return types.front(); }
  /// The value of a variant. Throws std::out_of_range.
  const std::string& option(const std::string& axis) const { return variant.at(axis); }
  /// The value of a named number. Throws std::out_of_range.
  double number(const std::string& name) const { return numbers.at(name); }
  std::int64_t integer(const std::string& name) const { return static_cast<std::int64_t>(numbers.at(name)); }
  /// The product of the extents, for patterns in which it has a meaning.
  std::int64_t elements() const;
  auto operator<=>(const Problem&) const = default;
};

/// The shortest text that parses to the same number: "256", "0.1"
std::string number_text(double number);
/// "op=sum", empty for a pattern without variants.
std::string variant_text(const Problem& problem);
/// "bins=256", empty for a pattern without numbers.
std::string numbers_text(const Problem& problem);
/// "float", "unsigned int/float"
std::string types_text(const std::vector<ElementType>& types);
std::string types_text(const Problem& problem);
/// The types of a types_text. Throws std::invalid_argument for an unknown type.
std::vector<ElementType> parse_types(std::string_view text);
/// Variant, numbers and data in the form of `--with`: "op=sum,bins=256,data=zipf"
std::string settings_text(const Problem& problem);
/// The problem in one line: "reduce[op=sum,data=uniform,float,1024]"
std::string problem_text(const Problem& problem);
/// Parses a problem_text, without checking it against a pattern: a setting that looks like a number becomes one. Throws
/// std::invalid_argument.
Problem parse_problem(std::string_view text);

/// The name of the input kind that is the problem's own data set.
inline constexpr std::string_view kOwnData = "data";

/// The contents of the in and inout buffers for one check: a kind of the pattern or kOwnData, and a seed.
struct Input {
  std::string kind = "exact";
  std::uint64_t seed = 1;
  bool operator==(const Input&) const = default;
};

/// "exact:7"
std::string input_text(const Input& input);
/// Parses an input_text. Without a number after the last colon, the seed is 1.
Input parse_input(std::string_view text);

}  // namespace warpwright
