// Parameter space and launch plan of image_histogram/warp_private.
#include "kernels/image_histogram/warp_private.cuh"

#include "kernels/image_histogram/plans.hpp"

namespace warpwright::image_histogram {

Kernel warp_private_kernel() {
  using P = warp_private_params;
  return copies_kernel<P>("warp_private",
                          SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {64, 128, 256, 512})
                              .axis("warps_per_copy", &P::warps_per_copy, {1, 2, 4}),
                          [](const P& p) { return copies_of(p); });
}

}  // namespace warpwright::image_histogram
