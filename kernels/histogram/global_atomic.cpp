// Parameter space and launch plan of histogram/global_atomic.
#include "kernels/histogram/global_atomic.cuh"

#include "kernels/histogram/plans.hpp"

namespace warpwright::histogram {
namespace {

using P = global_atomic_params;

SpaceOf<P> space() {
  SpaceOf<P> made;
  made.axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
      .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4, 8})
      .renamed("coarsening", "loads_in_flight")
      .axis("vector_width", &P::vector_width, {1, 2, 4, 8, 16})
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16, 32})
      .require("1024 to 4096 threads launched an SM", [](const P& p) {
        const int threads = p.block_size * p.grid_blocks_per_sm;
        return threads >= 1024 && threads <= 4096;
      });
  return binned::with_rules_of_loads(made);
}

}  // namespace

Kernel global_atomic_kernel() {
  return counting_kernel<P>({.name = "global_atomic", .space = space()});
}

}  // namespace warpwright::histogram
