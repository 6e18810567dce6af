// The space and plan of matmul/double_buffered.
#include "kernels/matmul/double_buffered.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {

Kernel double_buffered_kernel() {
  using P = double_buffered_params;
  return make_kernel<P>({
      .pattern = "matmul",
      .name = "double_buffered",
      .default_params = {},
      .space = tiled_space<P>({.tile_m = {32, 64, 128},
                               .tile_n = {64, 128, 256},
                               .tile_k = {8, 16},
                               .thread_m = {4, 8},
                               .thread_n = {4, 8, 16},
                               .bank_pad = {0, 4},
                               .min_blocks = {1, 2}})
                   .axis("vector_width", &P::vector_width, {2, 4})
                   .axis("lanes_n", &P::lanes_n, {4, 8})
                   .axis("group_m", &P::group_m, {1, 8})
                   .axis("splits", &P::splits, {1, 2, 4, 8})
                   .require("all threads copy as much, whole rows at a time",
                            [](const P& p) { return copies_evenly(p, p.vector_width, p.vector_width, p.vector_width); })
                   .require("shared memory holds two pairs of tiles",
                            [](const P& p, const Surroundings& around) {
                              return fits_shared(p, around, 2, kMostStaticShared);
                            }),
      .plan = [](const P& p, const PlanRequest& request) { return tiled_plan(p, request, "double_buffered"); },
      .tile = tile_of<P>,
      .depth = tiled_depth<P>,
      .edges = tiled_edges<P>,
      .supports = tiled_refusal<P>,
      .steps = tiled_steps<P>,
      .loads_in_flight = loads_of_a_step<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"splits"},
  });
}

}  // namespace warpwright::matmul
