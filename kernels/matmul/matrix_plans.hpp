// Host-side part shared by the kernels on matrix units. Params have tile_m, tile_n, tile_k, warp_m, warp_n, bank_pad,
// copy_width, stages, splits and min_blocks.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/matmul/tiled_plans.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::matmul {

/// Bytes of all stages of a block.
template <class P>
int stage_bytes(const P& p, bool is_transposed, int element_bytes) {
  const int of_a = p.tile_m * (p.tile_k + p.bank_pad);
  const int of_b = is_transposed ? p.tile_n * (p.tile_k + p.bank_pad) : p.tile_k * (p.tile_n + p.bank_pad);
  return p.stages * (of_a + of_b) * element_bytes;
}

/// Empty if the device has matrix units for these elements.
inline std::string no_matrix_units(const Device& device) {
  return device.compute_capability >= 80 ? "" : "products of matrices by mma.sync need sm_80";
}

/// Registers of a lane: for its sums, for two sets of fragments of `terms` terms, and for the rest.
template <class P>
int matrix_registers_of(const P& p, int element_bytes, int sum_bytes, int terms) {
  constexpr int kBeside = 28;
  return (p.warp_m * p.warp_n * sum_bytes + 2 * (p.warp_m + p.warp_n) * terms * element_bytes) / 32 / 4 + kBeside;
}

template <class P>
bool splits_into_warps(const P& p) {
  const int warps = p.tile_m / p.warp_m * (p.tile_n / p.warp_n);
  return p.tile_m % p.warp_m == 0 && p.tile_n % p.warp_n == 0 && warps >= 2 && warps <= 16;
}

/// Whether blocks with elements of so many bytes, and `beside` bytes beside the stages, have room in shared memory;
/// true for devices without matrix units, which refuse the kernel.
template <class P>
bool holds_stages(const P& p, int element_bytes, const Device& device, int beside = 0) {
  const int bytes = std::max(stage_bytes(p, false, element_bytes), stage_bytes(p, true, element_bytes)) + beside;
  return !no_matrix_units(device).empty() ||
         (bytes <= device.shared_per_block_optin &&
          (bytes + device.shared_reserved_per_block) * p.min_blocks <= device.shared_per_sm);
}

/// For params whose counts are the same for all types.
template <class P>
P counted_alike(const P& p, ElementType) {
  return p;
}

/// The constraints shared by these kernels, for sums of so many bytes, and `terms(p)` terms of `element_bytes` in one
/// instruction. `counted` as below.
template <class P, class Terms>
void require_matrix_tiles(SpaceOf<P>& space, int element_bytes, int sum_bytes, Terms terms,
                          P (*counted)(const P&, ElementType) = counted_alike<P>) {
  space.require("whole parts of the tile for 2 to 16 warps", splits_into_warps<P>)
      .require(kEvenCopies,
               [=](const P& p, const Surroundings& around) { return copies_vectors_evenly(counted(p, around.type())); })
      .require(
          "registers for the sums",
          [=](const P& p) { return matrix_registers_of(p, element_bytes, sum_bytes, terms(p)) <= most_registers(p); })
      .require("shared memory holds the stages", [=](const P& p, const Surroundings& around) {
        return holds_stages(counted(p, around.type()), static_cast<int>(size_of(around.type())), around.device);
      });
}

/// The kernel `name` for problems that `refusal` does not refuse. `counted(p, type)` are the params with all counts in
/// elements of that type.
template <class P>
KernelOf<P> matrix_tiles(std::string name, SpaceOf<P> space, std::string (*refusal)(const Problem&, const Device&),
                         P (*counted)(const P&, ElementType) = counted_alike<P>) {
  auto kernel = register_tiles<P>(name, std::move(space));
  kernel.plan = [=](const P& p, const PlanRequest& request) {
    const ElementType type = request.problem.type();
    const int bytes = stage_bytes(counted(p, type), is_transposed(request.problem), static_cast<int>(size_of(type)));
    return tiled_plan(p, request, name, static_cast<std::uint32_t>(bytes));
  };
  kernel.supports = [=](const P& p, const Problem& problem, const Device& device) {
    const std::string no_units = no_matrix_units(device);
    if (!no_units.empty()) return no_units;
    const std::string no_type = refusal(problem, device);
    return no_type.empty() ? tiled_refusal(p, problem, device) : no_type;
  };
  kernel.depth = [=](const P& p, const Problem& problem, const Device& device) {
    return tiled_depth(counted(p, problem.type()), problem, device);
  };
  kernel.edges = [=](const P& p, const Problem& problem) { return tiled_edges(counted(p, problem.type()), problem); };
  kernel.steps = [=](const P& p, const Problem& problem) { return tiled_steps(counted(p, problem.type()), problem); };
  kernel.loads_in_flight = [](const P& p) { return loads_of_a_step(p) * (p.stages - 1); };
  return kernel;
}

}  // namespace warpwright::matmul
