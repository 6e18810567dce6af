// Parameter space and launch plan of nbody/register_tiled.
#include "kernels/nbody/register_tiled.cuh"

#include <algorithm>

#include "kernels/nbody/plans.hpp"

namespace warpwright::nbody {
namespace {

using P = register_tiled_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::int64_t groups = groups_of(p, problem);
  if (p.combine == combine::block || groups == 0) return force_plan(request, "register_tiled", groups, p.block_size);
  const std::int64_t units = groups * divide_up(problem.shape[0], p.tile);
  const std::int64_t blocks =
      std::min(std::int64_t{request.device.sm_count} * p.grid_blocks_per_sm, divide_up(units, p.block_size / 32));
  Plan plan = force_plan(request, "register_tiled", blocks, p.block_size);
  plan.steps.insert(
      plan.steps.begin(),
      {.what = Memset{.buffer = "acceleration", .count = 3 * problem.shape[0], .value = real(problem, 0)}});
  return plan;
}

bool is_deterministic(const P& p, const Problem&) {
  return p.combine == combine::block;
}

}  // namespace

Kernel register_tiled_kernel() {
  return make_kernel<P>({
      .pattern = "nbody",
      .name = "register_tiled",
      .default_params = {},
      .space = lanes_space<P>()
                   .axis("combine", &P::combine, {combine::atomics, combine::block})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16})
                   .require("a grid that shares by atomics, of threads that an SM holds",
                            [](const P& p, const Surroundings& around) {
                              return p.combine == combine::block
                                         ? p.grid_blocks_per_sm == 1
                                         : p.grid_blocks_per_sm * p.block_size <= around.device.max_threads_per_sm;
                            })
                   .require("shared memory holds the slices of the warps, and their sums",
                            [](const P& p, const Surroundings& around) {
                              const int warps = p.block_size / 32;
                              const int elements = p.combine == combine::block ? held_elements(tiling_of(p), warps)
                                                                               : slice_elements(tiling_of(p), warps);
                              return fits_shared(elements, p.min_blocks, around);
                            }),
      .plan = plan,
      .tile = group_tile<P>,
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return chain_depth(static_cast<double>(problem.shape[0])); },
      .edges = tiles_of_all_warps<P>,
      .supports = only_forces<P>,
      .steps = group_steps<P>,
      .loads_in_flight = [](const P& p) { return p.tile / 32; },
      .deterministic = is_deterministic,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::nbody
