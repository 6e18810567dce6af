// Which launches a device and the simulator accept.
#include "kernels/runtime/simulator/engine/launch_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::uint32_t most_threads_per_block = 1024;
constexpr std::uint32_t most_grid_y = 65'535, most_block_z = 64;
// More are allowed only if a kernel requests a non-portable size.
constexpr std::uint64_t most_blocks_per_cluster = 8;
constexpr int first_with_clusters = 90;  // and with programmatic dependent launches
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 31;

/// Blocks with that many threads that are resident on a multiprocessor, if threads are the only limit.
std::uint64_t most_on_one(const Device& device, std::uint64_t threads) {
  const std::uint64_t whole_warps = (threads + 31) / 32 * 32;
  return std::min(static_cast<std::uint64_t>(device.max_blocks_per_sm),
                  static_cast<std::uint64_t>(device.max_threads_per_sm) / whole_warps);
}

}  // namespace

std::string refusal_of(const Launch& launch, const Device& device) {
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  if (grid.count() == 0 || block.count() == 0) {
    return fmt::format("a grid of {} x {} x {} blocks of {} x {} x {} threads is empty", grid.x, grid.y, grid.z,
                       block.x, block.y, block.z);
  }
  const auto most_threads = std::min(most_threads_per_block, static_cast<std::uint32_t>(device.max_threads_per_block));
  if (block.x > most_threads || block.y > most_threads || block.z > most_block_z || block.count() > most_threads) {
    return fmt::format("a block of {} x {} x {} threads is over the limit of {} threads, {} in z", block.x, block.y,
                       block.z, most_threads, most_block_z);
  }
  if (grid.x >= most_blocks || grid.y > most_grid_y || grid.z > most_grid_y) {
    return fmt::format("a grid of {} x {} x {} blocks is over the limit of {} in y and z", grid.x, grid.y, grid.z,
                       most_grid_y);
  }
  if (grid.count() > most_blocks) {
    return fmt::format("a grid of {} blocks is more than the simulator runs", grid.count());
  }
  if (launch.shared_bytes > static_cast<std::uint32_t>(device.shared_per_block_optin)) {
    return fmt::format("{} bytes of dynamic shared memory are over the limit of {} of {}", launch.shared_bytes,
                       device.shared_per_block_optin, device.arch());
  }
  if (const Dim3& cluster = launch.cluster; cluster.count() != 1) {
    if (device.compute_capability < first_with_clusters)
      return fmt::format("{} has no clusters of blocks", device.arch());
    if (cluster.count() == 0 || cluster.count() > most_blocks_per_cluster)
      return fmt::format("a cluster of {} x {} x {} blocks is over the limit of {}", cluster.x, cluster.y, cluster.z,
                         most_blocks_per_cluster);
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
      return fmt::format("a grid of {} x {} x {} blocks is no multiple of clusters of {} x {} x {}", grid.x, grid.y,
                         grid.z, cluster.x, cluster.y, cluster.z);
  }
  if (launch.programmatic && device.compute_capability < first_with_clusters)
    return fmt::format("{} has no programmatic dependent launches", device.arch());
  if (const std::uint64_t resident = static_cast<std::uint64_t>(device.sm_count) * most_on_one(device, block.count());
      launch.cooperative && grid.count() > resident) {
    return fmt::format("a cooperative launch of {} blocks, of which the device holds {} at a time", grid.count(),
                       resident);
  }
  if (launch.cooperative && grid.count() * block.count() > most_cooperative_threads) {
    return fmt::format("a cooperative launch of {} threads is more than the simulator runs together",
                       grid.count() * block.count());
  }
  return {};
}

bool fits_on_one_multiprocessor(const Launch& launch, const Device& device) {
  const std::uint64_t blocks = launch.grid.count();
  return blocks <= most_on_one(device, launch.block.count()) &&
         blocks * (launch.shared_bytes + static_cast<std::uint64_t>(device.shared_reserved_per_block)) <=
             static_cast<std::uint64_t>(device.shared_per_sm);
}

}  // namespace warpwright::simulator
