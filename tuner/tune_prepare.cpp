// Points, plans and occupancy.
#include "tuner/tune_prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::tuner {

PointSet point_set(const Kernel& kernel) {
  PointSet set{.points = kernel.space.points(), .space = {}};
  const auto& axes = kernel.space.axes();
  for (const Axis& axis : axes) set.space.axis_sizes.push_back(static_cast<int>(axis.values.size()));
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    std::vector<int> place;
    for (std::size_t a = 0; a < axes.size(); ++a)
      place.push_back(static_cast<int>(std::ranges::find(axes[a].values, set.points[i][a]) - axes[a].values.begin()));
    set.space.points.push_back(std::move(place));
    if (set.points[i] == kernel.default_point) set.space.default_point = i;
  }
  return set;
}

Prepared prepare(const Kernel& kernel, const Point& params, const Problem& problem, const Device& device) {
  return {
      .kernel = &kernel, .params = params, .plan = kernel.plan(params, problem, device), .built = {}, .occupancy = {}};
}

void complete(Prepared& prepared, Built built, const Device& device) {
  prepared.built = std::move(built);
  prepared.occupancy.clear();
  if (!prepared.built.ok) return;
  for (const Launch& launch : launches_of(prepared.plan)) {
    const Resources& resources = prepared.built.instances.at(launch.entry).resources;
    prepared.occupancy.push_back(occupancy(device, {.block_size = static_cast<int>(launch.block.count()),
                                                    .registers = resources.registers,
                                                    .static_shared_bytes = resources.static_shared,
                                                    .dynamic_shared_bytes = static_cast<int>(launch.shared_bytes)}));
  }
}

std::string refuses_launch(const Prepared& prepared, const Device& device) {
  const auto launches = launches_of(prepared.plan);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (prepared.occupancy.at(i).blocks_per_sm == 0)
      return "too much " + prepared.occupancy[i].limit + " for one block";
    constexpr std::uint32_t kLimitYZ = 65'535;
    if (launches[i].grid.y > kLimitYZ || launches[i].grid.z > kLimitYZ)
      return fmt::format("a grid of {} x {} blocks in y and z", launches[i].grid.y, launches[i].grid.z);
    const auto resident =
        static_cast<std::uint64_t>(device.sm_count) * static_cast<std::uint64_t>(prepared.occupancy[i].blocks_per_sm);
    if (launches[i].cooperative && launches[i].grid.count() > resident)
      return fmt::format("a cooperative launch of {} blocks, of which the device holds {} at a time",
                         launches[i].grid.count(), resident);
  }
  return {};
}

Work work_of(const Pattern& pattern, const Problem& problem) {
  const Cost cost = pattern.cost(problem);
  return {.bytes_read = cost.bytes_read,
          .bytes_written = cost.bytes_written,
          .flops = cost.flops,
          .fp64 = problem.type() == ElementType::f64};
}

}  // namespace warpwright::tuner
