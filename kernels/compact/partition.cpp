// Parameter space and launch plan of compact/partition.
#include "kernels/compact/partition.cuh"

#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = partition_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  Grid tiles{.blocks = divide_up(problem.elements(), tile_elements(p)), .block_size = p.block_size};
  Plan plan = counted_plan(request, tiles, p.scan_block);
  tiles.shared_bytes = staged_bytes(p, problem.type());
  plan.steps.push_back({.what = launch(request.entry("partition", arguments(problem)), tiles,
                                       {pointer_to("in"), pointer_to("out"), pointer_to("counts"), pointer_to("count"),
                                        value(problem.elements())})});
  return plan;
}

}  // namespace

Kernel partition_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "partition",
      .default_params = {},
      .space = staged_space<P>().axis("scan_block", &P::scan_block, {32, 128, 512, 1024}),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = count_edges<P>,
      .supports = only<P, operation::partition>,
      .steps = two_readings<P>,
      .loads_in_flight = vectors_in_flight<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"scan_block"},
  });
}

}  // namespace warpwright::compact
