// The space and plan of scan/brent_kung.
#include "kernels/scan/brent_kung.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = brent_kung_params;

block::section_cost cost(const P& p) {
  return block::brent_kung_cost(p.block_size * p.coarsening, p.bank_pad);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 16});
  axes.axis("mapping", &P::mapping,
            {{block::mapping::modulo, "warpwright::block::mapping::modulo"},
             {block::mapping::contiguous, "warpwright::block::mapping::contiguous"}})
      .axis("bank_pad", &P::bank_pad, {0, 1})
      .require("shared memory holds the section",
               [](const P& p, const Surroundings& around) { return fits_shared(cost(p).elements, 1, around); });
  return axes;
}

}  // namespace

Kernel brent_kung_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "brent_kung",
      .default_params = {},
      .space = space(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, "brent_kung",
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
