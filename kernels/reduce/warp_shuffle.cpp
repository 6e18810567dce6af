// Parameter space and launch plan of reduce/warp_shuffle.
#include "kernels/reduce/warp_shuffle.cuh"

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel warp_shuffle_kernel() {
  using P = warp_shuffle_params;
  return make_kernel(block_kernel<P>(
      "warp_shuffle",
      SpaceOf<P>{}
          .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
          .axis("vectors_per_thread", &P::vectors_per_thread, {1, 2, 4, 8})
          .renamed("coarsening", "vectors_per_thread")
          .axis("vector_width", &P::vector_width, {1, 2, 4})
          .axis("finish", &P::finish, finishes)
          .require("at most 16 elements a thread",
                   [](const P& p) { return p.vectors_per_thread * p.vector_width <= 16; }),
      [](const P& p) { return std::int64_t{p.block_size} * p.vectors_per_thread * p.vector_width; },
      [](const P& p) {
        constexpr double kShuffles = 10;
        return p.vectors_per_thread * p.vector_width + kShuffles;
      }));
}

}  // namespace warpwright::reduce
