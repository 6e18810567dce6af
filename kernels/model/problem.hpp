// A problem: pattern, variant, named numbers, types, shape and data; and an input for one check: kind and seed.
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
  Shape shape = {};                                 ///< elements per dimension, slowest first; any may be 0
  std::string data = "uniform";                     ///< the data set that it is timed on

  ElementType type() const { return types.front(); }
  /// The chosen value of a variant axis; throws std::out_of_range.
  const std::string& option(const std::string& axis) const { return variant.at(axis); }
  /// The value of a named number; throws std::out_of_range.
  double number(const std::string& name) const { return numbers.at(name); }
  std::int64_t integer(const std::string& name) const { return static_cast<std::int64_t>(numbers.at(name)); }
  /// Product of the shape: for patterns to which it means something.
  std::int64_t elements() const;
  auto operator<=>(const Problem&) const = default;
};

/// The shortest text that gives the number back: "256", "0.1"
std::string number_text(double number);
/// "op=sum", empty for a pattern without variants.
std::string variant_text(const Problem& problem);
/// "bins=256", empty for a pattern without numbers.
std::string numbers_text(const Problem& problem);
/// "float", "unsigned int/float"
std::string types_text(const std::vector<ElementType>& types);
std::string types_text(const Problem& problem);
/// The inverse of types_text; throws std::invalid_argument for an unknown type.
std::vector<ElementType> parse_types(std::string_view text);
/// Variant, numbers and data, as `--with` takes them: "op=sum,bins=256,data=zipf"
std::string settings_text(const Problem& problem);
/// One line of plain values: "reduce[op=sum,data=uniform,float,1024]"
std::string problem_text(const Problem& problem);
/// The inverse of problem_text, not yet held against a pattern: a setting that reads as a number is one. Throws
/// std::invalid_argument.
Problem parse_problem(std::string_view text);

/// The kind of input that stands for the problem's own data set.
inline constexpr std::string_view kOwnData = "data";

/// The contents of the in and inout buffers of one check: a kind that the pattern defines, or kOwnData.
struct Input {
  std::string kind = "exact";
  std::uint64_t seed = 1;
  bool operator==(const Input&) const = default;
};

/// "exact:7"
std::string input_text(const Input& input);
/// The inverse; without a number behind the last colon the seed is 1.
Input parse_input(std::string_view text);

}  // namespace warpwright
