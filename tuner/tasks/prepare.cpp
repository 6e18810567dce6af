// Computes points and occupancy, and checks launch limits.
#include "tuner/tasks/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/cubin/instance_code.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

PointSet point_set(const Kernel& kernel, const Problem& problem, const Device& device, const ParamFilter& params) {
  PointSet set{.points = points_for(kernel, problem, device, params), .space = {}};
  const auto& axes = kernel.space.axes();
  for (const Axis& axis : axes) {
    set.space.axis_sizes.push_back(static_cast<int>(axis.values.size()));
    set.space.axis_values.push_back(axis.spellings.empty() ? axis.values : std::vector<std::int64_t>());
  }
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    std::vector<int> place;
    for (std::size_t a = 0; a < axes.size(); ++a)
      place.push_back(static_cast<int>(std::ranges::find(axes[a].values, set.points[i][a]) - axes[a].values.begin()));
    set.space.points.push_back(std::move(place));
    if (set.points[i] == kernel.default_point) set.space.default_point = i;
  }
  return set;
}

CompiledConfiguration prepare(const Kernel& kernel, const Point& params, const Problem& problem, const Device& device) {
  return {
      .kernel = &kernel, .params = params, .plan = kernel.plan(params, problem, device), .built = {}, .occupancy = {}};
}

void complete(CompiledConfiguration& configuration, CompiledProgram built, const Device& device) {
  configuration.built = std::move(built);
  configuration.occupancy.clear();
  configuration.most_threads.clear();
  if (std::string refusal = worker::refusal_of(configuration.plan, configuration.built); !refusal.empty()) {
    configuration.built = {.ok = false, .log = std::move(refusal), .transient = configuration.built.transient};
    return;
  }
  const InstanceCode code(configuration.built, device.compute_capability);
  configuration.warning = code.fp64_warning(configuration.plan);
  for (const auto& [launch, times] : launches_of(configuration.plan)) {
    configuration.most_threads.push_back(code.most_threads(launch.entry));
    const Resources& resources = configuration.built.instances.at(launch.entry).resources;
    configuration.occupancy.push_back(
        occupancy(device, {.block_size = static_cast<int>(launch.block.count()),
                           .registers = resources.registers,
                           .static_shared_bytes = resources.static_shared,
                           .dynamic_shared_bytes = static_cast<int>(launch.shared_bytes)}));
  }
}

std::string refuses_launch(const CompiledConfiguration& configuration, const Device& device) {
  constexpr std::uint64_t kLimitX = 2'147'483'647, kLimitYZ = 65'535;
  constexpr int kThreadRegisters = 255, kThreadsZ = 64, kClustersFrom = 90;
  constexpr std::uint64_t kClusterBlocks = 8;  // portable cluster size
  const auto launches = launches_of(configuration.plan);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto& [entry, grid, block, cluster, shared_bytes, arguments, cooperative, programmatic] = launches[i].launch;
    const Resources& resources = configuration.built.instances.at(entry).resources;
    const Occupancy& fits = configuration.occupancy.at(i);
    const auto threads = static_cast<std::int64_t>(block.count());
    const std::string on = fmt::format(" on {}: {}", device.arch(), entry);
    if (grid.count() == 0 || threads == 0)
      return fmt::format("grid of {} x {} x {} blocks of {} x {} x {} threads, one of which is 0{}", grid.x, grid.y,
                         grid.z, block.x, block.y, block.z, on);
    if (threads > device.max_threads_per_block || block.z > kThreadsZ)
      return fmt::format("block of {} x {} x {} threads, at most {} and {} in z{}", block.x, block.y, block.z,
                         device.max_threads_per_block, kThreadsZ, on);
    if (const int most = configuration.most_threads.at(i); most > 0 && threads > most)
      return fmt::format("block of {} threads; the kernel's __launch_bounds__ allow {}{}", threads, most, on);
    if (cluster.count() > 1 && device.compute_capability < kClustersFrom)
      return fmt::format("cluster of {} x {} x {} blocks, which boards have from sm_{} on{}", cluster.x, cluster.y,
                         cluster.z, kClustersFrom, on);
    if (cluster.count() > kClusterBlocks || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
        grid.z % cluster.z != 0)
      return fmt::format("clusters of {} x {} x {} blocks in a grid of {} x {} x {}: at most {}, and whole ones{}",
                         cluster.x, cluster.y, cluster.z, grid.x, grid.y, grid.z, kClusterBlocks, on);
    if (grid.x > kLimitX || grid.y > kLimitYZ || grid.z > kLimitYZ)
      return fmt::format("grid of {} x {} x {} blocks, at most {} in x and {} in y and z{}", grid.x, grid.y, grid.z,
                         kLimitX, kLimitYZ, on);
    const std::int64_t shared = std::int64_t{resources.static_shared} + shared_bytes;
    if (resources.static_shared > device.shared_per_block || shared > device.shared_per_block_optin)
      return fmt::format("shared memory of {} static and {} dynamic bytes a block, at most {} static and {} together{}",
                         resources.static_shared, shared_bytes, device.shared_per_block, device.shared_per_block_optin,
                         on);
    if (resources.registers > kThreadRegisters || resources.registers * threads > device.registers_per_block)
      return fmt::format("registers: {} for each of {} threads, at most {} a thread and {} a block{}",
                         resources.registers, threads, kThreadRegisters, device.registers_per_block, on);
    if (fits.blocks_per_sm == 0)
      return fmt::format("{}: {} threads of {} registers and {} bytes of shared memory do not fit{}", fits.limit,
                         threads, resources.registers, shared, on);
    const std::int64_t resident = std::int64_t{fits.blocks_per_sm} * device.sm_count;
    if (programmatic && device.compute_capability < kClustersFrom)
      return fmt::format("a programmatic dependent launch needs sm_90{}", on);
    if (cooperative && grid.count() > static_cast<std::uint64_t>(resident))
      return fmt::format("cooperative grid of {} blocks, at most {} ({} on each of {} SMs) run together{}",
                         grid.count(), resident, fits.blocks_per_sm, device.sm_count, on);
  }
  return {};
}

}  // namespace warpwright::tuner
