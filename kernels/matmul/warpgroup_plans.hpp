// Host-side part shared by the kernels that multiply by warpgroups. Params have tile_m, tile_n, stages, group_m and
// min_blocks.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/tiled_plans.hpp"
#include "kernels/matmul/warpgroup_tiles.cuh"

namespace warpwright::matmul {

/// Empty if the device has products by warpgroups. They are on sm_90 only.
inline std::string no_warpgroups(const Device& device) {
  return device.compute_capability == 90 ? "" : "products by warpgroups (wgmma) exist on sm_90 only";
}

/// Whether a lane that multiplies has room for `sums` sets of sums, if one that fills has `filling` registers.
template <class P>
bool has_registers(const P& p, int sums, int filling) {
  constexpr int kBeside = 32, kOfProduct = 26;  // ptxas needs these at the launch already
  return sums * p.tile_n / 2 + kBeside <= multiplying_registers(p, filling) && launch_registers(p) > filling &&
         p.tile_n / 2 + kOfProduct <= launch_registers(p);
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

/// Steps of all threads in the simulator, if each term of a sum has so many products. Those of a warpgroup are computed
/// together, so that 256 of them take as long as a step of a thread.
template <class P>
double group_steps(const P& p, const Problem& problem, int tile_k, int products) {
  const auto padded = static_cast<double>(divide_up(problem.shape[2], tile_k) * tile_k);
  return static_cast<double>(tiles_of(p, problem)) * p.tile_m * p.tile_n * (padded * products / 256 + 0.25);
}

/// Tiles side by side, more than there are blocks, and terms for all stages.
template <class P>
std::vector<std::vector<std::int64_t>> group_edges(const P& p, int tile_k) {
  return {{p.tile_m, p.tile_n, tile_k},
          {p.tile_m + 1, p.tile_n, 2 * tile_k + 1},
          {2 * p.tile_m + 3, 2 * p.tile_n + 1, tile_k},
          {p.tile_m, p.tile_n + 3, (p.stages + 1) * tile_k + 4}};
}

/// The axes and constraints of how stages are used, behind those of the tiles; for a kernel whose lanes have `sums`
/// sets of sums, and that fills stages with `filling` registers.
template <class P>
void add_stage_axes(SpaceOf<P>& space, int sums, int filling, int (*bytes_of_stage)(const P&)) {
  space.axis("group_m", &P::group_m, {1, 4, 8, 16})
      .axis("min_blocks", &P::min_blocks, {1, 2})
      .require("registers for the sums", [=](const P& p) { return has_registers(p, sums, filling); })
      .require("shared memory holds the stages", [=](const P& p, const Surroundings& around) {
        return holds_stages_of(p, bytes_of_stage(p), around.device);
      });
}

/// A kernel that multiplies tiles with so many terms by warpgroups, but for its plan and what depends on how it fills
/// the stages and adds.
template <class P>
KernelOf<P> kernel_of_groups(std::string name, SpaceOf<P> space, int terms, int products) {
  return {.pattern = "matmul",
          .name = std::move(name),
          .space = std::move(space),
          .plan = {},
          .tile =
              [=](const P& p) {
                return std::vector<std::int64_t>{p.tile_m, p.tile_n, terms};
              },
          .edges = [=](const P& p, const Problem&) { return group_edges(p, terms); },
          .steps = [=](const P& p, const Problem& problem) { return group_steps(p, problem, terms, products); },
          .loads_in_flight = [](const P& p) { return p.stages; },
          .deterministic = always_deterministic<P>};
}

}  // namespace warpwright::matmul
