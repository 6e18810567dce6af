// Parameter space and launch plan of image_histogram/block_private.
#include "kernels/image_histogram/block_private.cuh"

#include "kernels/image_histogram/plans.hpp"

namespace warpwright::image_histogram {

Kernel block_private_kernel() {
  using P = block_private_params;
  return copies_kernel<P>(
      "block_private",
      SpaceOf<P>{}.axis("block_size", &P::block_size, {64, 128, 256, 512}).axis("copies", &P::copies, {1, 4, 16, 32}),
      [](const P& p) { return p.copies; });
}

}  // namespace warpwright::image_histogram
