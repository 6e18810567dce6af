// Parameter space and launch plan of rows/warp_per_row.
#include "kernels/rows/warp_per_row.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = warp_per_row_params;

std::int64_t blocks(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.block_size / 32);
}

}  // namespace

Kernel warp_per_row_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "warp_per_row",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "warp_per_row",
                            {.blocks = blocks(p, request.problem), .block_size = p.block_size});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.block_size / 32, 32};
          },
      .depth =
          [](const P&, const Problem& problem, const Device&) {
            return depth_of_passes(static_cast<double>(divide_up(problem.shape[1], 32) + levels_of(32)));
          },
      .supports = [](const P& p, const Problem& problem,
                     const Device&) { return refusal(problem, blocks(p, problem)); },
      .steps = [](const P&, const Problem& problem) { return steps_of(problem, 32); },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
