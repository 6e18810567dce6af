// Parameter space and launch plan of reduce/grid_stride.
#include "kernels/reduce/grid_stride.cuh"

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {
namespace {

using P = grid_stride_params;

std::int64_t per_block(const P& p) {
  return std::int64_t{p.block_size} * p.loads_in_flight * p.vector_width;
}

std::int64_t grid_blocks(const P& p, const Problem& problem, const Device& device) {
  return persistent_blocks(problem, device, per_block(p), p.grid_blocks_per_sm);
}

Plan plan(const P& p, const PlanRequest& request) {
  return grid_plan(request, "grid_stride", p.finish, grid_blocks(p, request.problem, request.device), p.block_size);
}

double depth(const P& p, const Problem& problem, const Device& device) {
  constexpr double kShuffles = 10;
  const std::int64_t blocks = grid_blocks(p, problem, device);
  const double per_thread =
      static_cast<double>(problem.elements()) / static_cast<double>(blocks * p.block_size) + p.vector_width + 1;
  return per_thread + kShuffles +
         finish_depth(p.finish, blocks, p.finish == finish::second_kernel ? 512 : p.block_size);
}

}  // namespace

Kernel grid_stride_kernel() {
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "grid_stride",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512, 1024})
                   .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4, 8})
                   .renamed("coarsening", "loads_in_flight")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8})
                   .axis("finish", &P::finish, finishes)
                   .require("at most 16 elements in flight a thread",
                            [](const P& p) { return p.loads_in_flight * p.vector_width <= 16; })
                   .require("at most 2048 threads an SM",
                            [](const P& p) { return p.block_size * p.grid_blocks_per_sm <= 2048; }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth = depth,
      .loads_in_flight = [](const P& p) { return p.loads_in_flight; },
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::reduce
