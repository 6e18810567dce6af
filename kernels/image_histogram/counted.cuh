// Counting tiles in copies of the bins in a block's shared memory.
#pragma once

#include "kernels/block/bin_copies.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/image_histogram/tiles.cuh"

namespace warpwright::image_histogram {

/// Counts the block's tiles one after the other; this thread uses copy number `copy`.
template <walk W, class Key, bool Total, class Copies>
__device__ __forceinline__ void count_tiles(const Key* __restrict__ in, unsigned* out,
                                            const block::binning<Key, Total>& ranges, const tiling& image,
                                            const Copies& copies, unsigned copy) {
  for (long long tile = blockIdx.x; tile < image.tiles; tile += gridDim.x) {
    copies.zero();
    visit_tile<W>(in, image.columns, bounds_of(image, tile), [&](Key key) {
      const unsigned bin = ranges.of(key);
      if (ranges.has(bin)) atomicAdd(copies.counter(copy, bin), 1U);
    });
    copies.add_up([&](unsigned bin, unsigned sum) { out[tile * ranges.bins + bin] = sum; });
    __syncthreads();
  }
}

}  // namespace warpwright::image_histogram
