// The space and plan of scan/kogge_stone.
#include "kernels/scan/kogge_stone.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = kogge_stone_params;

block::section_cost cost(const P& p) {
  const int size = p.block_size * p.coarsening;
  return p.buffering == buffering::temporary ? block::kogge_stone_cost(size) : block::hillis_steele_cost(size);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 16});
  axes.axis("buffering", &P::buffering,
            {{buffering::temporary, "warpwright::scan::buffering::temporary"},
             {buffering::double_buffer, "warpwright::scan::buffering::double_buffer"}})
      .require("shared memory holds the section",
               [](const P& p, const Surroundings& around) { return fits_shared(cost(p).elements, 1, around); });
  return axes;
}

}  // namespace

Kernel kogge_stone_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "kogge_stone",
      .default_params = {},
      .space = space(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, "kogge_stone",
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
