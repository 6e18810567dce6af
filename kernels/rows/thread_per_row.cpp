// Parameter space and launch plan of rows/thread_per_row.
#include "kernels/rows/thread_per_row.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = thread_per_row_params;

std::int64_t blocks(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.block_size);
}

}  // namespace

Kernel thread_per_row_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "thread_per_row",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "thread_per_row",
                            {.blocks = blocks(p, request.problem), .block_size = p.block_size});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.block_size, 1};
          },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return depth_of_passes(static_cast<double>(problem.shape[1])); },
      .supports = [](const P& p, const Problem& problem,
                     const Device&) { return refusal(problem, blocks(p, problem)); },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
