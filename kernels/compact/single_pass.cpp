// Parameter space and launch plan of compact/single_pass.
#include "kernels/compact/single_pass.cuh"

#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = single_pass_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t tiles = divide_up(problem.elements(), tile_elements(p));
  Plan plan = look_back_plan(problem, tiles, p.restore == block::restore::last_block);
  plan.steps.push_back(
      {.what = launch(request.entry("single_pass", arguments(problem)),
                      {.blocks = tiles, .block_size = p.block_size, .shared_bytes = staged_bytes(p, problem.type())},
                      {pointer_to("in"), pointer_to("out"), pointer_to("count"), pointer_to("descriptors"),
                       pointer_to("counters"), value(problem.elements())})});
  return plan;
}

}  // namespace

Kernel single_pass_kernel() {
  return make_kernel<P>(look_back_kernel<P>("single_pass", staged_space<P>(), plan, only<P, operation::select>));
}

}  // namespace warpwright::compact
