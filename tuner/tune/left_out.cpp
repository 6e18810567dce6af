// Leaving kernels out.
#include "tuner/tune/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "conformance/checker.hpp"

namespace warpwright::tuner {

void leave_out_host_steps(const Catalogue& catalogue, std::vector<TuneItem>& items, const Device& device,
                          const std::string& reason) {
  for (TuneItem& item : items) {
    const auto calls_host = [&](const Kernel* kernel) {
      return std::ranges::any_of(points_for(*kernel, item.problem, device), [&](const Point& point) {
        return !conformance::program_for(catalogue, *kernel, point, item.problem, device).host_functions.empty();
      });
    };
    const auto rest = std::stable_partition(item.kernels.begin(), item.kernels.end(), std::not_fn(calls_host));
    for (auto at = rest; at != item.kernels.end(); ++at)
      item.left_out.push_back({.kernel = *at, .reason = "its host steps cannot be compiled: " + reason});
    item.kernels.erase(rest, item.kernels.end());
  }
}

void drop_unsolved(std::vector<TuneItem>& items) {
  for (const TuneItem& item : items)
    if (item.kernels.empty())
      for (const LeftOut& left : item.left_out)
        fmt::print(stderr, "tune: {} on {}: skipped: {}\n", left.kernel->full_name(), problem_text(item.problem),
                   left.reason);
  std::erase_if(items, [](const TuneItem& item) { return item.kernels.empty(); });
}

}  // namespace warpwright::tuner
