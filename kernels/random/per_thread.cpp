// Parameter space and launch plan of random/per_thread.
#include "kernels/random/per_thread.cuh"

#include "kernels/random/plans.hpp"

namespace warpwright::random {

Kernel per_thread_kernel() {
  using P = per_thread_params;
  return make_kernel<P>({
      .pattern = "random",
      .name = "per_thread",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("philox_blocks", &P::philox_blocks, {1, 2, 4, 8})
                   .renamed("coarsening", "philox_blocks")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("store", &P::store, {block::store_hint::plain, block::store_hint::streaming})
                   .require("at most 16 bytes an access",
                            [](const P& p, const Surroundings& around) {
                              return p.vector_width * size_of(around.type()) <= 16;
                            }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const std::int64_t per_block = std::int64_t{p.block_size} * p.philox_blocks;
            return random_plan(request, "per_thread", divide_up(sequence_blocks(request.problem), per_block),
                               p.block_size);
          },
      // For 4-byte numbers; twice as many as 8-byte ones.
      .tile = [](const P& p) { return std::vector<std::int64_t>{std::int64_t{p.block_size} * p.philox_blocks * 4}; },
      .depth = [](const P&, const Problem& problem, const Device&) { return roundings(problem); },
      .supports = [](const P&, const Problem& problem, const Device&) { return refuses(problem); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::random
