// Converts problems and inputs to text and back.
#include "kernels/model/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <stdexcept>

namespace warpwright {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Appends "name=value" to a comma-separated list.
void append(std::string& text, const std::string& name, const std::string& value) {
  text += (text.empty() ? "" : ",") + name + "=" + value;
}

}  // namespace

std::int64_t Problem::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

std::string number_text(double number) {
  return fmt::format("{}", number);
}

std::string variant_text(const Problem& problem) {
  std::string text;
  for (const auto& [axis, option] : problem.variant) append(text, axis, option);
  return text;
}

std::string numbers_text(const Problem& problem) {
  std::string text;
  for (const auto& [name, number] : problem.numbers) append(text, name, number_text(number));
  return text;
}

std::string types_text(const std::vector<ElementType>& types) {
  std::string text;
  for (const ElementType type : types) text += (text.empty() ? "" : "/") + std::string(name_of(type));
  return text;
}

std::string types_text(const Problem& problem) {
  return types_text(problem.types);
}

std::vector<ElementType> parse_types(std::string_view text) {
  std::vector<ElementType> types;
  for (const std::string_view name : split(text, '/')) {
    const auto type = element_type_named(name);
    if (!type) {
      std::vector<std::string_view> known;
      for (const ElementType one : all_element_types()) known.push_back(name_of(one));
      throw std::invalid_argument(fmt::format("unknown element type '{}'; known: {}", name, fmt::join(known, ", ")));
    }
    types.push_back(*type);
  }
  return types;
}

std::string settings_text(const Problem& problem) {
  std::string text = variant_text(problem);
  for (const auto& [name, number] : problem.numbers) append(text, name, number_text(number));
  append(text, std::string(kOwnData), problem.data);
  return text;
}

std::string problem_text(const Problem& problem) {
  return fmt::format("{}[{},{},{}]", problem.pattern, settings_text(problem), types_text(problem),
                     shape_text(problem.shape));
}

Problem parse_problem(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']')
    throw std::invalid_argument(
        fmt::format("'{}' is not a problem: write e.g. reduce[op=sum,data=uniform,float,1024]", text));
  Problem problem;
  problem.pattern = text.substr(0, open);
  const auto parts = split(text.substr(open + 1, text.size() - open - 2), ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part.find('=') != std::string_view::npos) {
      const auto [name, value] = *parse_settings(part).begin();
      double number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (name == kOwnData)
        problem.data = value;
      else if (error == std::errc{} && end == value.data() + value.size())
        problem.numbers[name] = number;
      else
        problem.variant[name] = value;
    } else if (i + 1 == parts.size()) {
      problem.shape = parse_shape(part);
    } else {
      problem.types = parse_types(part);
    }
  }
  if (problem.types.empty() || problem.shape.empty())
    throw std::invalid_argument(fmt::format("'{}' names no element type or no shape", text));
  return problem;
}

std::string input_text(const Input& input) {
  return fmt::format("{}:{}", input.kind, input.seed);
}

Input parse_input(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {.kind = std::string(text), .seed = 1};
  Input input{.kind = std::string(text.substr(0, colon)), .seed = 1};
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), input.seed);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {.kind = std::string(text), .seed = 1};
  return input;
}

}  // namespace warpwright
