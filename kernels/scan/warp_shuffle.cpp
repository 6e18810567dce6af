// The space and plan of scan/warp_shuffle.
#include "kernels/scan/warp_shuffle.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = warp_shuffle_params;

block::section_cost cost(const P& p) {
  return register_tile_cost(p.coarsening, p.vector_width);
}

SpaceOf<P> space() {
  return tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 12, 16, 32});
}

}  // namespace

Kernel warp_shuffle_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "warp_shuffle",
      .default_params = {},
      .space = space(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, "warp_shuffle",
                                     {.tile = tile_elements(p),
                                      .block_size = p.block_size,
                                      .vector_width = p.vector_width,
                                      .shared_elements = cost(p).elements});
          },
      .tile = tile_extents<P>,
      .depth = [](const P& p, const Problem& problem,
                  const Device&) { return three_kernel_depth(problem, tile_elements(p), cost(p).depth); },
      .edges = [](const P& p, const Problem&) { return level_edges(tile_elements(p)); },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
