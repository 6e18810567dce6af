// Finds the kernels that need a missing compiler or linker.
#include "tuner/tasks/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

#include "conformance/checks/case_plan.hpp"
#include "kernels/system/say.hpp"

namespace warpwright::tuner {

namespace {

/// Leaves out the kernels with a configuration for whose program `is_such` is true.
void leave_out(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
               const std::function<bool(const Program&)>& is_such, const std::string& reason) {
  for (TuningTask& task : tasks) {
    const auto has_such = [&](const Kernel* kernel) {
      return std::ranges::any_of(points_for(*kernel, task.problem, device), [&](const Point& point) {
        return is_such(conformance::program_for(catalogue, *kernel, point, task.problem, device));
      });
    };
    const auto rest = std::stable_partition(task.kernels.begin(), task.kernels.end(), std::not_fn(has_such));
    for (auto at = rest; at != task.kernels.end(); ++at) task.left_out.push_back({.kernel = *at, .reason = reason});
    task.kernels.erase(rest, task.kernels.end());
  }
}

}  // namespace

void leave_out_host_steps(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                          const std::string& reason) {
  leave_out(
      catalogue, tasks, device, [](const Program& program) { return !program.host_functions.empty(); },
      "its host steps cannot be compiled: " + reason);
}

void leave_out_device_launches(const Catalogue& catalogue, std::vector<TuningTask>& tasks, const Device& device,
                               const std::string& reason) {
  // The same for all configurations of a source.
  std::map<std::string, bool> known;
  const auto launches = [&](const Program& program) {
    const auto [found, is_new] = known.try_emplace(program.source);
    if (is_new) found->second = launches_from_device(catalogue.sources(), program);
    return found->second;
  };
  leave_out(catalogue, tasks, device, launches, "its launches from the device cannot be linked: " + reason);
}

void drop_unsolved(std::vector<TuningTask>& tasks) {
  for (const TuningTask& task : tasks)
    if (task.kernels.empty())
      for (const LeftOut& left : task.left_out)
        program::say(fmt::format("tune: {} is left out for {}: {}", left.kernel->full_name(), task.title, left.reason));
  std::erase_if(tasks, [](const TuningTask& task) { return task.kernels.empty(); });
}

}  // namespace warpwright::tuner
