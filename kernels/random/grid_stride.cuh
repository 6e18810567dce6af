// random/grid_stride: a few blocks per SM, whose threads stride over the Philox blocks of the sequence.
#pragma once

#include "kernels/random/write.cuh"

namespace warpwright::random {

struct grid_stride_params {
  int block_size = 256;
  int philox_blocks = 1;       ///< Philox blocks that a thread makes at a time
  int vector_width = 1;        ///< numbers per access
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  block::store_hint store = block::store_hint::plain;
  bool operator==(const grid_stride_params&) const = default;
};

/// out[i] = number offset + i of the sequence of *seed, for i < count. Any grid of one dimension.
template <class T, class Distribution, grid_stride_params P>
__global__ void __launch_bounds__(P.block_size)
    grid_stride(const unsigned long long* __restrict__ seed, T* __restrict__ out, unsigned long long offset,
                long long count) {
  const unsigned long long key = *seed;
  const long long threads = static_cast<long long>(gridDim.x) * P.block_size;
  // Philox blocks of the sequence; the first may begin before out[0].
  const long long blocks = (static_cast<long long>(offset % kNumbers<T>) + count - 1) / kNumbers<T> + 1;
  for (long long number = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x; number < blocks;
       number += threads * P.philox_blocks) {
#pragma unroll
    for (int i = 0; i < P.philox_blocks; ++i)
      write_block<T, Distribution, P.vector_width, P.store>(out, key, offset, number + i * threads, count);
  }
}

}  // namespace warpwright::random
