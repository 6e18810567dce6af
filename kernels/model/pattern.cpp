// Problems of a pattern, checked against what the pattern declares.
#include "kernels/model/pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace warpwright {

Problem make_problem(const Pattern& pattern, ElementType type, const std::map<std::string, std::string>& variant,
                     const std::vector<std::int64_t>& shape) {
  if (std::ranges::find(pattern.types, type) == pattern.types.end()) {
    std::vector<std::string_view> names;
    for (const ElementType known : pattern.types) names.push_back(name_of(known));
    throw std::invalid_argument(
        fmt::format("{} has no type {}; it has {}", pattern.name, name_of(type), fmt::join(names, ", ")));
  }
  if (shape.size() != pattern.extents.size())
    throw std::invalid_argument(fmt::format("{} takes a size of {} number(s) ({}), got {}", pattern.name,
                                            pattern.extents.size(), fmt::join(pattern.extents, " x "),
                                            shape_text(shape)));
  Problem problem{.pattern = pattern.name, .variant = {}, .types = {type}, .shape = shape};
  for (const auto& [axis, options] : pattern.variants) {
    const auto chosen = variant.find(axis);
    problem.variant[axis] = chosen == variant.end() ? options.front() : chosen->second;
    if (std::ranges::find(options, problem.variant[axis]) == options.end())
      throw std::invalid_argument(fmt::format("{} has no {} '{}'; it has {}", pattern.name, axis, problem.variant[axis],
                                              fmt::join(options, ", ")));
  }
  for (const auto& [axis, option] : variant)
    if (!pattern.variants.contains(axis))
      throw std::invalid_argument(fmt::format("{} has no variant axis '{}'", pattern.name, axis));
  return problem;
}

}  // namespace warpwright
