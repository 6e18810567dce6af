// The space and plan of scan/coarsened.
#include "kernels/scan/coarsened.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = coarsened_params;

block::section_cost cost(const P& p) {
  return block::coarsened_cost(p.block_size * p.coarsening, p.block_size, p.bank_pad);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {2, 4, 8, 16, 32});
  axes.axis("bank_pad", &P::bank_pad, {0, 1})
      .require("shared memory holds the section",
               [](const P& p, const Surroundings& around) { return fits_shared(cost(p).elements, 1, around); });
  return axes;
}

}  // namespace

Kernel coarsened_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "coarsened",
      .default_params = {},
      .space = space(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, "coarsened",
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
