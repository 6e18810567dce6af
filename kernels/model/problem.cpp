// Problems and inputs as text and back.
#include "kernels/model/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace warpwright {
namespace {

constexpr std::array<std::string_view, 10> kDistributions{"exact",       "uniform",    "normal",    "position",
                                                          "alternating", "few_values", "all_equal", "sorted",
                                                          "reversed",    "special"};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::int64_t parse_number(std::string_view text, std::string_view whole) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0)
    throw std::invalid_argument(
        fmt::format("'{}' is not a size: write 1024, 2^20 or, with one number a dimension, 8192x8192", whole));
  return number;
}

std::int64_t parse_extent(std::string_view text, std::string_view whole) {
  const std::size_t hat = text.find('^');
  if (hat == std::string_view::npos) return parse_number(text, whole);
  const std::int64_t base = parse_number(text.substr(0, hat), whole);
  const std::int64_t exponent = parse_number(text.substr(hat + 1), whole);
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(product, base, &product))
      throw std::invalid_argument(fmt::format("'{}' does not fit 64 bits", whole));
  return product;
}

}  // namespace

std::int64_t Problem::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::vector<std::int64_t> parse_shape(std::string_view text) {
  std::vector<std::int64_t> shape;
  for (const std::string_view extent : split(text, 'x')) shape.push_back(parse_extent(extent, text));
  return shape;
}

std::string variant_text(const Problem& problem) {
  std::string text;
  for (const auto& [axis, option] : problem.variant) text += (text.empty() ? "" : ",") + axis + "=" + option;
  return text;
}

std::string types_text(const Problem& problem) {
  std::string text;
  for (const ElementType type : problem.types) text += (text.empty() ? "" : "/") + std::string(name_of(type));
  return text;
}

std::string problem_text(const Problem& problem) {
  std::string inside = variant_text(problem);
  if (!inside.empty()) inside += ",";
  return fmt::format("{}[{}{},{}]", problem.pattern, inside, types_text(problem), shape_text(problem.shape));
}

Problem parse_problem(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']')
    throw std::invalid_argument(fmt::format("'{}' is not a problem: write e.g. reduce[op=sum,float,1024]", text));
  Problem problem;
  problem.pattern = text.substr(0, open);
  const auto parts = split(text.substr(open + 1, text.size() - open - 2), ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) {
      problem.variant[std::string(part.substr(0, equals))] = part.substr(equals + 1);
    } else if (i + 1 == parts.size()) {
      problem.shape = parse_shape(part);
    } else {
      for (const std::string_view name : split(part, '/')) {
        const auto type = element_type_named(name);
        if (!type) throw std::invalid_argument(fmt::format("unknown element type '{}' in '{}'", name, text));
        problem.types.push_back(*type);
      }
    }
  }
  if (problem.types.empty() || problem.shape.empty())
    throw std::invalid_argument(fmt::format("'{}' names no element type or no shape", text));
  return problem;
}

std::string_view name_of(Distribution distribution) {
  return kDistributions[static_cast<std::size_t>(distribution)];
}

Distribution distribution_named(std::string_view name) {
  for (const Distribution distribution : all_distributions())
    if (name_of(distribution) == name) return distribution;
  throw std::invalid_argument(
      fmt::format("unknown input distribution '{}'; known: {}", name, fmt::join(kDistributions, ", ")));
}

const std::vector<Distribution>& all_distributions() {
  static const std::vector<Distribution> all = [] {
    std::vector<Distribution> list;
    for (std::size_t i = 0; i < kDistributions.size(); ++i) list.push_back(static_cast<Distribution>(i));
    return list;
  }();
  return all;
}

std::string input_text(const Input& input) {
  return fmt::format("{}:{}", name_of(input.distribution), input.seed);
}

Input parse_input(std::string_view text) {
  const std::size_t colon = text.find(':');
  Input input{.distribution = distribution_named(text.substr(0, colon)), .seed = 1};
  if (colon == std::string_view::npos) return input;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), input.seed);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw std::invalid_argument(fmt::format("'{}' is not an input: write distribution:seed, e.g. exact:7", text));
  return input;
}

}  // namespace warpwright
