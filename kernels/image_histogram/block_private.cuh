// image_histogram/block_private: one block per tile counts by atomics in shared memory, in several copies of the bins,
// each shared by some lanes.
#pragma once

#include "kernels/image_histogram/counted.cuh"

namespace warpwright::image_histogram {

struct block_private_params {
  int block_size = 128;
  int copies = 1;  ///< of the bins; lanes take them in turn
  block::copies_layout layout = block::copies_layout::interleaved;
  int loads_in_flight = 4;      ///< vectors in flight per thread
  int vector_width = 4;         ///< pixels per load
  int grid_blocks_per_sm = 16;  ///< blocks launched per SM, at most one per tile
  bool operator==(const block_private_params&) const = default;
};

/// out[tile * bins + bin] = number of pixels of the tile in that bin. Blocks take tiles in turn. Dynamic shared memory:
/// words_of_copies.
template <class Key, bool Total, block_private_params P>
__global__ void __launch_bounds__(P.block_size)
    block_private(const Key* __restrict__ in, unsigned* out, block::binning<Key, Total> ranges, tiling image) {
  extern __shared__ unsigned counters[];
  constexpr walk kWalk{P.block_size, P.loads_in_flight, P.vector_width};
  const block::bin_copies<P.block_size, P.copies, P.layout> copies{counters, ranges.bins};
  count_tiles<kWalk>(in, out, ranges, image, copies, threadIdx.x % P.copies);
}

}  // namespace warpwright::image_histogram
