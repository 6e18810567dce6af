// Parameter space and launch plan of eigen/jacobi_block.
#include "kernels/eigen/jacobi_block.cuh"

#include "kernels/eigen/team_plans.hpp"

namespace warpwright::eigen {
namespace {

using P = jacobi_block_params;

layout layout_of(const P& p) {
  return {.matrix_in = p.matrix_in, .vectors_in = p.vectors_in, .bank_pad = p.bank_pad};
}

}  // namespace

Kernel jacobi_block_kernel() {
  return make_kernel<P>({
      .pattern = "eigen",
      .name = "jacobi_block",
      .default_params = {},
      .space = with_order(SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
                              .axis("bank_pad", &P::bank_pad, {0, 1})
                              .axis("unroll", &P::unroll, {1, 2, 4})
                              .axis("matrix_in", &P::matrix_in, memories())
                              .axis("vectors_in", &P::vectors_in, memories())
                              .require("a pad of shared memory only",
                                       [](const P& p) {
                                         return p.bank_pad == 0 || p.matrix_in == where::shared ||
                                                p.vectors_in == where::shared;
                                       })),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return team_plan(request, "jacobi_block", layout_of(p), 1, p.block_size, {});
          },
      .tile = [](const P&) { return std::vector<std::int64_t>{1}; },
      .depth = [](const P& p, const Problem& problem, const Device&) { return depth_of(p.order, problem); },
      .supports = [](const P& p, const Problem& problem,
                     const Device& device) { return team_refusal(layout_of(p), 1, problem, device); },
      .steps = [](const P& p, const Problem& problem) { return team_steps(p.order, p.block_size, problem); },
      .operations = [](const P&, const Problem& problem) { return operations_of_sweeps(problem); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::eigen
