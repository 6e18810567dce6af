// Parameter space and launch plan of matmul/tiled.
#include "kernels/matmul/tiled.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = tiled_params;

Plan plan(const P& p, const PlanRequest& request) {
  return product_plan(request, "tiled", {.x = static_cast<std::uint32_t>(tiles_of(p, request.problem))},
                      {.x = static_cast<std::uint32_t>(p.tile_m * p.tile_n)});
}

int shared_elements(const P& p) {
  return p.tile_m * (p.tile_k + p.bank_pad) + p.tile_k * (p.tile_n + p.bank_pad);
}

}  // namespace

Kernel tiled_kernel() {
  return make_kernel<P>({
      .pattern = "matmul",
      .name = "tiled",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("tile_m", &P::tile_m, {4, 8, 16, 32})
                   .axis("tile_n", &P::tile_n, {8, 16, 32, 64})
                   .axis("tile_k", &P::tile_k, {8, 16, 32, 64})
                   .axis("bank_pad", &P::bank_pad, {0, 1})
                   .axis("unroll", &P::unroll, {1, 4, 8})
                   .require("block of 64 to 1024 threads",
                            [](const P& p) { return p.tile_m * p.tile_n >= 64 && p.tile_m * p.tile_n <= 1024; })
                   .require("shared memory holds the tiles",
                            [](const P& p, const Surroundings& around) {
                              return shared_elements(p) * tile_element_bytes(p, around.types) <= kMostStaticShared;
                            }),
      .plan = plan,
      .tile = tile_of<P>,
      .depth = tiled_depth<P>,
      .edges = tiled_edges<P>,
      .supports = tiled_refusal<P>,
      .steps = tiled_steps<P, 1>,
      .loads_in_flight =
          [](const P& p) { return static_cast<int>(divide_up((p.tile_m + p.tile_n) * p.tile_k, p.tile_m * p.tile_n)); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::matmul
