// random/per_thread: each thread makes the numbers of a few Philox blocks of the sequence.
#pragma once

#include "kernels/random/write.cuh"

namespace warpwright::random {

struct per_thread_params {
  int block_size = 256;
  int philox_blocks = 1;  ///< Philox blocks per thread
  int vector_width = 1;   ///< numbers per access
  block::store_hint store = block::store_hint::plain;
  bool operator==(const per_thread_params&) const = default;
};

/// out[i] = number offset + i of the sequence of *seed, for i < count. Grid: one block per block_size * philox_blocks
/// Philox blocks.
template <class T, class Distribution, per_thread_params P>
__global__ void __launch_bounds__(P.block_size)
    per_thread(const unsigned long long* __restrict__ seed, T* __restrict__ out, unsigned long long offset,
               long long count) {
  const unsigned long long key = *seed;
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.philox_blocks + threadIdx.x;
#pragma unroll
  for (int i = 0; i < P.philox_blocks; ++i)
    write_block<T, Distribution, P.vector_width, P.store>(out, key, offset, first + i * P.block_size, count);
}

}  // namespace warpwright::random
