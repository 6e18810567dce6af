// Parameter space and launch plan of eigen/jacobi_warp.
#include "kernels/eigen/jacobi_warp.cuh"

#include "kernels/eigen/team_plans.hpp"

namespace warpwright::eigen {
namespace {

using P = jacobi_warp_params;

int teams(const P& p) {
  return p.block_size / p.lanes;
}

layout layout_of(const P& p) {
  return {.matrix_in = where::shared, .vectors_in = p.vectors_in, .bank_pad = p.bank_pad};
}

}  // namespace

Kernel jacobi_warp_kernel() {
  return make_kernel<P>({
      .pattern = "eigen",
      .name = "jacobi_warp",
      .default_params = {},
      .space = with_order(SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {32, 64, 128, 256})
                              .axis("lanes", &P::lanes, {4, 8, 16, 32})
                              .axis("bank_pad", &P::bank_pad, {0, 1})
                              .axis("unroll", &P::unroll, {1, 2, 4})
                              .axis("vectors_in", &P::vectors_in, memories())),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return team_plan(request, "jacobi_warp", layout_of(p), teams(p), p.block_size,
                             {value(request.problem.shape[0])});
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{teams(p)}; },
      .depth = [](const P& p, const Problem& problem, const Device&) { return depth_of(p.order, problem); },
      .supports = [](const P& p, const Problem& problem,
                     const Device& device) { return team_refusal(layout_of(p), teams(p), problem, device); },
      .steps = [](const P& p, const Problem& problem) { return team_steps(p.order, p.lanes, problem); },
      .operations = [](const P&, const Problem& problem) { return operations_of_sweeps(problem); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::eigen
