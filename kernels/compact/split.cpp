// Parameter space and launch plan of compact/split.
#include "kernels/compact/split.cuh"

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
  return make_kernel<P>(look_back_kernel<P>("split", tile_space<P>(), plan, only<P, operation::split>));
}

}  // namespace warpwright::compact
