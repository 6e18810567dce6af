// The space and plan of matmul/vectorized.
#include "kernels/matmul/vectorized.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {

Kernel vectorized_kernel() {
  using P = vectorized_params;
  return make_kernel<P>({
      .pattern = "matmul",
      .name = "vectorized",
      .default_params = {},
      .space = tiled_space<P>({.tile_m = {32, 64, 128},
                               .tile_n = {32, 64, 128},
                               .tile_k = {8, 16, 32},
                               .thread_m = {4, 8},
                               .thread_n = {4, 8},
                               .bank_pad = {0, 4},
                               .min_blocks = {1, 2, 3}})
                   .axis("vector_width", &P::vector_width, {2, 4})
                   .axis("lanes_n", &P::lanes_n, {4, 8, 16})
                   .axis("vector_store", &P::vector_store, {false, true})
                   .require("all threads copy as much, whole rows at a time",
                            [](const P& p) { return copies_evenly(p, p.vector_width, p.vector_width, p.vector_width); })
                   .require("shared memory holds the tiles",
                            [](const P& p, const Surroundings& around) {
                              return fits_shared(p, around, 1, kMostStaticShared);
                            }),
      .plan = [](const P& p, const PlanRequest& request) { return tiled_plan(p, request, "vectorized"); },
      .tile = tile_of<P>,
      .depth = tiled_depth<P>,
      .edges = tiled_edges<P>,
      .supports = tiled_refusal<P>,
      .steps = tiled_steps<P>,
      .loads_in_flight = loads_of_a_step<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::matmul
