// Parameter space and launch plan of random/grid_stride.
#include "kernels/random/grid_stride.cuh"

#include <algorithm>

#include "kernels/random/plans.hpp"

namespace warpwright::random {

Kernel grid_stride_kernel() {
  using P = grid_stride_params;
  return make_kernel<P>({
      .pattern = "random",
      .name = "grid_stride",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("philox_blocks", &P::philox_blocks, {1, 2, 4, 8})
                   .renamed("coarsening", "philox_blocks")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16})
                   .axis("store", &P::store, {block::store_hint::plain, block::store_hint::streaming})
                   .require("at most 16 bytes an access",
                            [](const P& p, const Surroundings& around) {
                              return p.vector_width * size_of(around.type()) <= 16;
                            })
                   .require("at most 2048 threads an SM",
                            [](const P& p) { return p.block_size * p.grid_blocks_per_sm <= 2048; }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const std::int64_t needed =
                divide_up(sequence_blocks(request.problem), std::int64_t{p.block_size} * p.philox_blocks);
            const std::int64_t most = std::int64_t{request.device.sm_count} * p.grid_blocks_per_sm;
            return random_plan(request, "grid_stride", std::min(needed, most), p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{std::int64_t{p.block_size} * p.philox_blocks * 4}; },
      .depth = [](const P&, const Problem& problem, const Device&) { return roundings(problem); },
      .supports = [](const P&, const Problem& problem, const Device&) { return refuses(problem); },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::random
