// image_histogram/global_atomic: one block per tile; every pixel is one atomic addition in global memory.
#pragma once

#include "kernels/block/binning.cuh"
#include "kernels/image_histogram/tiles.cuh"

namespace warpwright::image_histogram {

struct global_atomic_params {
  int block_size = 256;
  int loads_in_flight = 1;     ///< vectors in flight per thread
  int vector_width = 4;        ///< pixels per load
  int grid_blocks_per_sm = 8;  ///< blocks launched per SM, at most one per tile
  bool operator==(const global_atomic_params&) const = default;
};

/// out[tile * bins + bin] += number of pixels of the tile in that bin; all are zero before the launch. Blocks take
/// tiles in turn.
template <class Key, bool Total, global_atomic_params P>
__global__ void __launch_bounds__(P.block_size)
    global_atomic(const Key* __restrict__ in, unsigned* out, block::binning<Key, Total> ranges, tiling image) {
  constexpr walk kWalk{P.block_size, P.loads_in_flight, P.vector_width};
  for (long long tile = blockIdx.x; tile < image.tiles; tile += gridDim.x) {
    unsigned* const to = out + tile * ranges.bins;
    visit_tile<kWalk>(in, image.columns, bounds_of(image, tile), [&](Key key) {
      const unsigned bin = ranges.of(key);
      if (ranges.has(bin)) atomicAdd(to + bin, 1U);
    });
  }
}

}  // namespace warpwright::image_histogram
