// Leaving kernels out.
#include "tuner/tasks/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

#include "conformance/checks/checker.hpp"
#include "kernels/system/say.hpp"

namespace warpwright::tuner {

namespace {

/// Leaves out the kernels of which a point has such a program.
void leave_out(const Catalogue& catalogue, std::vector<TuneItem>& items, const Device& device,
               const std::function<bool(const Program&)>& is_such, const std::string& reason) {
  for (TuneItem& item : items) {
    const auto has_such = [&](const Kernel* kernel) {
      return std::ranges::any_of(points_for(*kernel, item.problem, device), [&](const Point& point) {
        return is_such(conformance::program_for(catalogue, *kernel, point, item.problem, device));
      });
    };
    const auto rest = std::stable_partition(item.kernels.begin(), item.kernels.end(), std::not_fn(has_such));
    for (auto at = rest; at != item.kernels.end(); ++at) item.left_out.push_back({.kernel = *at, .reason = reason});
    item.kernels.erase(rest, item.kernels.end());
  }
}

}  // namespace

void leave_out_host_steps(const Catalogue& catalogue, std::vector<TuneItem>& items, const Device& device,
                          const std::string& reason) {
  leave_out(
      catalogue, items, device, [](const Program& program) { return !program.host_functions.empty(); },
      "its host steps cannot be compiled: " + reason);
}

void leave_out_device_launches(const Catalogue& catalogue, std::vector<TuneItem>& items, const Device& device,
                               const std::string& reason) {
  // A source says it for all its points.
  std::map<std::string, bool> known;
  const auto launches = [&](const Program& program) {
    const auto [found, is_new] = known.try_emplace(program.source);
    if (is_new) found->second = launches_from_device(catalogue.sources(), program);
    return found->second;
  };
  leave_out(catalogue, items, device, launches, "its launches from the device cannot be linked: " + reason);
}

void drop_unsolved(std::vector<TuneItem>& items) {
  for (const TuneItem& item : items)
    if (item.kernels.empty())
      for (const LeftOut& left : item.left_out)
        program::say(fmt::format("tune: {} is left out for {}: {}", left.kernel->full_name(), item.title, left.reason));
  std::erase_if(items, [](const TuneItem& item) { return item.kernels.empty(); });
}

}  // namespace warpwright::tuner
