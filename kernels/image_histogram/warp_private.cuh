// image_histogram/warp_private: one block per tile; each warp, or group of a few warps, has its own bins in shared
// memory.
#pragma once

#include "kernels/image_histogram/counted.cuh"

namespace warpwright::image_histogram {

struct warp_private_params {
  int block_size = 128;
  int warps_per_copy = 2;  ///< neighbouring warps that share their bins
  block::copies_layout layout = block::copies_layout::apart;
  int loads_in_flight = 2;      ///< vectors in flight per thread
  int vector_width = 4;         ///< pixels per load
  int grid_blocks_per_sm = 16;  ///< blocks launched per SM, at most one per tile
  bool operator==(const warp_private_params&) const = default;
};

/// Number of copies of the bins per block.
__host__ __device__ constexpr int copies_of(const warp_private_params& p) {
  return p.block_size / 32 / p.warps_per_copy;
}

/// out[tile * bins + bin] = number of pixels of the tile in that bin. Blocks take tiles in turn. Dynamic shared memory:
/// words_of_copies.
template <class Key, bool Total, warp_private_params P>
__global__ void __launch_bounds__(P.block_size)
    warp_private(const Key* __restrict__ in, unsigned* out, block::binning<Key, Total> ranges, tiling image) {
  extern __shared__ unsigned counters[];
  constexpr walk kWalk{P.block_size, P.loads_in_flight, P.vector_width};
  const block::bin_copies<P.block_size, copies_of(P), P.layout> copies{counters, ranges.bins};
  count_tiles<kWalk>(in, out, ranges, image, copies, threadIdx.x / 32 / P.warps_per_copy);
}

}  // namespace warpwright::image_histogram
