// Host-side part shared by the kernels that multiply by warpgroups. Params have tile_m, tile_n, stages, group_m and
// min_blocks.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/matmul/tiled_plans.hpp"
#include "kernels/matmul/warpgroup_tiles.cuh"

namespace warpwright::matmul {

/// Empty if the device has products by warpgroups. They are on sm_90 only.
inline std::string no_warpgroups(const Device& device) {
  return device.compute_capability == 90 ? "" : "products by warpgroups (wgmma) exist on sm_90 only";
}

/// Registers of a lane that multiplies, which has `sums` sets of sums.
template <class P>
bool has_registers(const P& p, int sums) {
  constexpr int kBeside = 32;
  return sums * p.tile_n / 2 + kBeside <= multiplying_registers(p) && launch_registers(p) > kFillingRegisters;
}

/// Whether stages of so many bytes fit; true for devices that refuse the kernel.
template <class P>
bool holds_stages_of(const P& p, int bytes, const Device& device) {
  constexpr int kBarriers = 1024;
  const int all = p.stages * bytes + kBarriers;
  return !no_warpgroups(device).empty() ||
         (all <= device.shared_per_block_optin &&
          (all + device.shared_reserved_per_block) * p.min_blocks <= device.shared_per_sm);
}

/// A persistent grid: all blocks are resident, and have about as many tiles each.
template <class P>
std::uint32_t persistent_blocks(const P& p, const Problem& problem, const Device& device) {
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(tiles_of(p, problem), std::int64_t{device.sm_count} * p.min_blocks));
}

}  // namespace warpwright::matmul
