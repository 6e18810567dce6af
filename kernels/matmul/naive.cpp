// Parameter space and launch plan of matmul/naive.
#include "kernels/matmul/naive.cuh"

#include "kernels/block/former_params.hpp"
#include "kernels/matmul/plans.hpp"

namespace warpwright::matmul {
namespace {

using P = naive_params;

std::int64_t blocks(const P& p, const Problem& problem) {
  return divide_up(problem.shape[0], p.block_y) * divide_up(problem.shape[1], p.block_x);
}

Plan plan(const P& p, const PlanRequest& request) {
  return product_plan(request, "naive", {.x = static_cast<std::uint32_t>(blocks(p, request.problem))},
                      {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)});
}

}  // namespace

Kernel naive_kernel() {
  return make_kernel<P>({
      .pattern = "matmul",
      .name = "naive",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {8, 16, 32, 64, 128, 256})
                   .axis("block_y", &P::block_y, {1, 2, 4, 8, 16, 32})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .removed("read_only", kAlwaysReadOnly)
                   .require("block of 64 to 1024 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 1024; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.block_y, p.block_x, 1};
          },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return chain_depth(static_cast<double>(problem.shape[2])); },
      .supports = [](const P& p, const Problem& problem,
                     const Device&) { return blocks(p, problem) <= kMostBlocks ? "" : "more blocks than a grid has"; },
      .loads_in_flight = [](const P& p) { return 2 * p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::matmul
