// Parameter space and launch plan of reduce/first_add_on_load.
#include "kernels/reduce/first_add_on_load.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel first_add_on_load_kernel() {
  using P = first_add_on_load_params;
  return make_kernel(block_kernel<P>(
      "first_add_on_load",
      SpaceOf<P>{}
          .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
          .axis("pairs_per_thread", &P::pairs_per_thread, {1, 2, 4, 8, 16})
          .renamed("coarsening", "pairs_per_thread")
          .axis("unroll", &P::unroll, {1, 2, 4, 8})
          .axis("finish", &P::finish, finishes)
          .require("no more pairs in flight than there are", [](const P& p) { return p.unroll <= p.pairs_per_thread; }),
      [](const P& p) { return std::int64_t{2} * p.block_size * p.pairs_per_thread; },
      [](const P& p) { return 2 * p.pairs_per_thread + std::log2(p.block_size); }));
}

}  // namespace warpwright::reduce
