// The space and plan of scan/three_kernel.
#include "kernels/scan/three_kernel.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = three_kernel_params;

block::section_cost cost(const P& p) {
  return three_kernel_cost(p);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({128, 256, 512, 1024}, {2, 4, 8, 16});
  axes.axis("block_scan", &P::block_scan,
            {{block_scan::warp_shuffle, "warpwright::scan::block_scan::warp_shuffle"},
             {block_scan::coarsened, "warpwright::scan::block_scan::coarsened"},
             {block_scan::kogge_stone, "warpwright::scan::block_scan::kogge_stone"},
             {block_scan::brent_kung, "warpwright::scan::block_scan::brent_kung"},
             {block_scan::blelloch, "warpwright::scan::block_scan::blelloch"}})
      .axis("bank_pad", &P::bank_pad, {0, 1})
      .require("padding is for sections with trees or rows", [](const P& p) {
        return p.bank_pad == 0 || (p.block_scan != block_scan::warp_shuffle && p.block_scan != block_scan::kogge_stone);
      });
  axes.axis("first_pass", &P::first_pass,
            {{first_pass::scans, "warpwright::scan::first_pass::scans"},
             {first_pass::totals, "warpwright::scan::first_pass::totals"}})
      .require("shared memory holds the section",
               [](const P& p, const Surroundings& around) { return fits_shared(cost(p).elements, 1, around); });
  return axes;
}

}  // namespace

Kernel three_kernel_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "three_kernel",
      .default_params = {},
      .space = space(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, "three_kernel",
                                     {.tile = tile_elements(p),
                                      .block_size = p.block_size,
                                      .vector_width = p.vector_width,
                                      .shared_elements = cost(p).elements,
                                      .has_totals_pass = p.first_pass == first_pass::totals});
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
