// Parameter space and launch plan of scan/decoupled_lookback.
#include "kernels/scan/decoupled_lookback.cuh"

#include "kernels/block/look_back_plans.hpp"
#include "kernels/block/ring_plans.hpp"
#include "kernels/scan/single_pass.hpp"

namespace warpwright::scan {
namespace {

using P = decoupled_lookback_params;

SpaceOf<P> space() {
  auto axes = single_pass_space<P>({128, 256, 512, 1024}, [](const P& p) { return p.min_blocks; });
  axes.axis("window", &P::window, {1, 8, 16, 32})
      .axis("min_blocks", &P::min_blocks, {1, 2, 4})
      .axis("restore", &P::restore, restore_values<block::restore>())
      // With fewer threads per SM the launch bounds change nothing; with more there are too few registers.
      .require("launch bounds ask for 1024 threads an SM, or for nothing",
               [](const P& p) { return p.min_blocks == 1 || p.block_size * p.min_blocks == 1024; });
  return axes;
}

Plan plan(const P& p, const PlanRequest& request) {
  Plan made = single_pass_plan(p, request, "decoupled_lookback", 2);
  if (p.restore == block::restore::memset) zero_descriptors_first(made);
  return made;
}

}  // namespace

Kernel decoupled_lookback_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "decoupled_lookback",
      .default_params = {},
      .space = space(),
      .plan = plan,
      .tile = tile_extents<P>,
      .depth = [](const P& p, const Problem& problem, const Device&) { return chain_depth(p, problem); },
      .edges = [](const P& p, const Problem&) { return look_back_edges(tile_elements(p), p.window); },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      // The order of combining, and so the rounding, depends on which prefixes look-back finds ready.
      .deterministic = [](const P&, const Problem& problem) { return !is_floating(problem.type()); },
  });
}

}  // namespace warpwright::scan
