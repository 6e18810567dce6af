// Parameter space and launch plan of sort/radix_warp.
#include "kernels/sort/radix_warp.cuh"

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_warp_params;

Plan plan(const P&, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    plan.steps = {{.what = launch_tiles(
                       request.entry("radix_warp", {std::string(name_of(problem.type())), pairs_text(problem)}), 1, 32,
                       {pointer_to("in"), pointer_to("values"), pointer_to("out"), pointer_to("values_out"),
                        range_argument(problem), value(static_cast<int>(problem.elements()))})}};
  });
}

}  // namespace

Kernel radix_warp_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "radix_warp",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("ballots", &P::ballots, {ballots::split, ballots::rank})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8, 16}),
      .plan = plan,
      .tile = [](const P&) { return std::vector<std::int64_t>{32}; },
      .supports = [](const P&, const Problem& problem, const Device&) -> std::string {
        return problem.elements() <= 32 ? "" : "sorts at most 32 keys: those of one warp";
      },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
