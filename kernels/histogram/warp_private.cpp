// Parameter space and launch plan of histogram/warp_private.
#include "kernels/histogram/warp_private.cuh"

#include "kernels/histogram/copies.hpp"

namespace warpwright::histogram {

Kernel warp_private_kernel() {
  using P = warp_private_params;
  return copies_kernel<P>("warp_private",
                          SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {64, 128, 256, 512})
                              .axis("warps_per_copy", &P::warps_per_copy, {1, 2, 4})
                              .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4})
                              .renamed("coarsening", "loads_in_flight")
                              .axis("vector_width", &P::vector_width, {1, 4, 16}),
                          [](const P& p) { return copies_of(p); });
}

}  // namespace warpwright::histogram
