// Makes problem titles by omitting default settings.
#include "tuner/records/title.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "db/store/problem_title.hpp"

namespace warpwright::tuner {
namespace {

/// Short names of long types.
std::string short_types(const Problem& problem) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kShort{{{"signed char", "schar"},
                                                                                 {"unsigned char", "uchar"},
                                                                                 {"unsigned short", "ushort"},
                                                                                 {"unsigned int", "uint"},
                                                                                 {"__half", "half"},
                                                                                 {"__nv_bfloat16", "bfloat16"},
                                                                                 {"__nv_fp8_e4m3", "e4m3"},
                                                                                 {"__nv_fp8_e5m2", "e5m2"}}};
  std::string text;
  for (const ElementType type : problem.types) {
    const std::string_view name = name_of(type);
    const auto* const found = std::ranges::find(kShort, name, &std::pair<std::string_view, std::string_view>::first);
    text += fmt::format("{}{}", text.empty() ? "" : "/", found == kShort.end() ? name : found->second);
  }
  return text;
}

/// The number of settings of the pattern that have an option with this name.
std::ptrdiff_t settings_with(const Pattern& pattern, const std::string& option) {
  return std::ranges::count_if(
             pattern.variants,
             [&](const auto& axis) { return std::ranges::find(axis.second, option) != axis.second.end(); }) +
         std::ranges::count(pattern.data, option, &InputKind::name);
}

/// Whether users look for problems with that option by its name: softmax.
bool is_alias(const Pattern& pattern, const std::string& axis, const std::string& option) {
  const auto found = pattern.aliases.find(option);
  return found != pattern.aliases.end() && found->second == Settings{{axis, option}};
}

}  // namespace

std::string short_title(const Pattern& pattern, const Problem& problem) {
  std::string text = short_shape(shape_text(problem.shape)) + " " + short_types(problem);
  const auto add = [&](const std::string& name, const std::string& value) {
    text += ", " + (settings_with(pattern, value) == 1 ? value : name + "=" + value);
  };
  for (const auto& [axis, options] : pattern.variants)
    if (const auto own = problem.variant.find(axis);
        own != problem.variant.end() && (own->second != options.front() || is_alias(pattern, axis, own->second)))
      add(axis, own->second);
  for (const Number& number : pattern.numbers)
    if (const auto own = problem.numbers.find(number.name);
        own != problem.numbers.end() && own->second != number.preferred)
      add(number.name, number_text(own->second));
  if (!pattern.data.empty() && problem.data != pattern.data.front().name) add(std::string(kOwnData), problem.data);
  return text;
}

}  // namespace warpwright::tuner
