// The space and plan of transpose/strided_walk.
#include "transpose/strided_walk.cuh"

#include <algorithm>

#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

Kernel strided_walk_kernel() {
  using P = strided_walk_params;
  return make_kernel<P>({
      .pattern = "transpose",
      .name = "strided_walk",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8})
                   .require("at most 2048 threads an SM",
                            [](const P& p) { return p.block_size * p.grid_blocks_per_sm <= 2048; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const std::int64_t needed = divide_up(request.problem.elements(), p.block_size);
            const std::int64_t blocks = std::min(needed, std::int64_t{request.device.sm_count} * p.grid_blocks_per_sm);
            return matrix_plan(request, "strided_walk", blocks, {.x = static_cast<std::uint32_t>(p.block_size)});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, p.block_size};
          },
      .supports = only_transposes<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::transpose
