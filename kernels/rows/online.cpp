// Parameter space and launch plan of rows/online.
#include "kernels/rows/online.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {

Kernel online_kernel() {
  using P = online_params;
  return make_kernel<P>({
      .pattern = "rows",
      .name = "online",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("vector_width", &P::vector_width, {1, 2, 4, 8})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .require(kOneAccess, is_one_access<P>),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "online", {.blocks = request.problem.shape[0], .block_size = p.block_size});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, std::int64_t{p.block_size} * p.vector_width * p.unroll};
          },
      .depth =
          [](const P& p, const Problem& problem, const Device&) {
            const int held = p.vector_width * p.unroll;
            const std::int64_t chunks = divide_up(problem.shape[1], std::int64_t{p.block_size} * held);
            return depth_of_passes(held) + depth_of_combinations(static_cast<double>(chunks + levels_of(p.block_size)));
          },
      .supports = [](const P& p, const Problem& problem,
                     const Device&) { return refusal(problem, problem.shape[0], p.vector_width); },
      .steps = [](const P& p, const Problem& problem) { return steps_of(problem, p.block_size); },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
