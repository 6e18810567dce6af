// Finds how params reach the code of a user's kernel.
#include "tuner/records/param_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

std::vector<std::string> entries_of(const Plan& plan) {
  std::vector<std::string> entries;
  for (const auto& [launch, times] : launches_of(plan)) entries.push_back(launch.entry);
  return entries;
}

bool is_host_constant(const Kernel& kernel, const std::string& param) {
  return std::ranges::find(kernel.host_constants, param) != kernel.host_constants.end();
}

}  // namespace

std::vector<std::string> param_kinds(const Kernel& kernel, const Point& params, const Problem& problem,
                                     const Device& device) {
  const auto& axes = kernel.space.axes();
  std::vector<std::string> reach(axes.size());
  const Plan plan = kernel.plan(params, problem, device);
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    for (const std::int64_t value : axes[axis].values) {
      if (value == params[axis]) continue;
      Point other = params;
      other[axis] = value;
      try {
        const Plan changed = kernel.plan(other, problem, device);
        reach[axis] = changed.definitions != plan.definitions     ? "macro"
                      : entries_of(changed) != entries_of(plan)   ? "template"
                      : is_host_constant(kernel, axes[axis].name) ? "constant"
                                                                  : "plan";
        break;
      } catch (const std::invalid_argument&) {
        continue;  // no plan has this value with the others
      }
    }
  return reach;
}

std::string param_lines(const Kernel& kernel, const Point& params, const std::vector<std::string>& reach) {
  std::string lines;
  for (std::size_t axis = 0; axis < reach.size(); ++axis) {
    const Axis& one = kernel.space.axes()[axis];
    const auto at = std::ranges::find(one.values, params[axis]) - one.values.begin();
    if (!reach[axis].empty())
      lines += fmt::format("param {} {} {}\n", one.name, reach[axis], one.spellings.at(static_cast<std::size_t>(at)));
  }
  return lines;
}

}  // namespace warpwright::tuner
