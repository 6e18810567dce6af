// Parameter space and launch plan of image_histogram/global_atomic.
#include "kernels/image_histogram/global_atomic.cuh"

#include "kernels/image_histogram/plans.hpp"

namespace warpwright::image_histogram {

Kernel global_atomic_kernel() {
  using P = global_atomic_params;
  return tiles_kernel<P>(
      "global_atomic", SpaceOf<P>{}.axis("block_size", &P::block_size, {64, 128, 256, 512, 1024}),
      [](const P&) { return 0; }, [](const P&) { return block::copies_layout::interleaved; });
}

}  // namespace warpwright::image_histogram
