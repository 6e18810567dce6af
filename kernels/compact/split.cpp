// Parameter space and launch plan of compact/split.
#include "kernels/compact/split.cuh"

#include "kernels/block/look_back_plans.hpp"
#include "kernels/block/ring_plans.hpp"
#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = split_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t tiles = divide_up(problem.elements(), tile_elements(p));
  Plan plan = look_back_plan(problem, tiles, p.restore == block::restore::last_block);
  plan.steps.push_back(
      {.what = launch(request.entry("split", arguments(problem)), {.blocks = tiles, .block_size = p.block_size},
                      {pointer_to("in"), pointer_to("packed"), pointer_to("out"), pointer_to("descriptors"),
                       pointer_to("counters"), value(problem.elements())})});
  return plan;
}

}  // namespace

Kernel split_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "split",
      .default_params = {},
      .space = tile_space<P>()
                   .axis("window", &P::window, {1, 32})
                   .axis("restore", &P::restore, restore_values<block::restore>()),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = [](const P& p, const Problem&) { return look_back_edges(tile_elements(p), p.window); },
      .supports = only<P, operation::split>,
      .loads_in_flight = vectors_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::compact
