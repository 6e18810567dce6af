// Writes the numbers of a Philox block.
#pragma once

#include "kernels/block/cache_hints.cuh"
#include "kernels/random/distributions.cuh"

namespace warpwright::random {

/// out[0] is number `offset` of the sequence. Writes those numbers of block `offset / kNumbers<T> + number` that lie in
/// out[0..count). Writes `Vector` at a time if all of them lie there and the offset is a multiple of `Vector`.
template <class T, class Distribution, int Vector, block::store_hint Store>
__device__ __forceinline__ void write_block(T* out, unsigned long long seed, unsigned long long offset,
                                            long long number, long long count) {
  constexpr int kEach = kNumbers<T>;
  static_assert(kEach % Vector == 0, "whole vectors");
  const unsigned long long which = offset / kEach + static_cast<unsigned long long>(number);
  const long long first = number * kEach - static_cast<long long>(offset % kEach);
  if (first >= count) return;
  T numbers[kEach];
  Distribution::make(block_of(seed, which), numbers);
  if (first >= 0 && first + kEach <= count && offset % Vector == 0) {
#pragma unroll
    for (int k = 0; k < kEach; k += Vector) {
      vec<T, Vector> together;
#pragma unroll
      for (int j = 0; j < Vector; ++j) together[j] = numbers[k + j];
      block::store_hinted<Store>(out + first + k, together);
    }
  } else {
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      if (first + k >= 0 && first + k < count) out[first + k] = numbers[k];
  }
}

}  // namespace warpwright::random
