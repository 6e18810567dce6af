// Joins warnings to one text, and reads them from it.
#include "kernels/core/warnings.hpp"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::string_view between = "; ";

// How warnings of a kind begin in a stored text.
constexpr struct {
  Warning::Kind kind;
  std::string_view begins;
} beginnings[] = {{Warning::Kind::untimed_by_job, "not in the time: "},
                  {Warning::Kind::untimed_by_pattern, "not in the time, as for each kernel of its pattern: "}};

}  // namespace

Warning untimed_warning(Warning::Kind kind, std::string_view steps) {
  for (const auto& [known, begins] : beginnings)
    if (known == kind) return {.kind = kind, .text = std::string(begins) + std::string(steps)};
  return {.text = std::string(steps)};
}

void add_warning(std::string& stored, std::string_view warning) {
  if (!warning.empty() && !stored.empty()) stored += between;
  stored += warning;
}

std::vector<Warning> parse_warnings(std::string_view stored) {
  std::vector<Warning> warnings;
  for (std::size_t begin = 0; begin < stored.size();) {
    const std::size_t end = std::min(stored.find(between, begin), stored.size());
    Warning& one = warnings.emplace_back(Warning{.text = std::string(stored.substr(begin, end - begin))});
    for (const auto& [kind, begins] : beginnings)
      if (one.text.starts_with(begins)) one.kind = kind;
    begin = end + between.size();
  }
  return warnings;
}

std::string stored_text(const std::vector<Warning>& warnings) {
  std::string stored;
  for (const Warning& one : warnings) add_warning(stored, one.text);
  return stored;
}

}  // namespace warpwright
