// Parameter space and launch plan of compact/pack.
#include "kernels/compact/pack.cuh"

#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = pack_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const Grid tiles{.blocks = divide_up(problem.elements(), tile_elements(p)), .block_size = p.block_size};
  Plan plan = counted_plan(request, tiles, p.scan_block);
  plan.steps.push_back(
      {.what = launch(request.entry("pack", arguments(problem)), tiles,
                      {pointer_to("in"), pointer_to("out"), pointer_to("counts"), value(problem.elements())})});
  return plan;
}

}  // namespace

Kernel pack_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "pack",
      .default_params = {},
      .space = tile_space<P>().axis("scan_block", &P::scan_block, {32, 128, 512, 1024}),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = count_edges<P>,
      .supports = only<P, operation::select>,
      .steps = two_readings<P>,
      .loads_in_flight = vectors_in_flight<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"scan_block"},
  });
}

}  // namespace warpwright::compact
