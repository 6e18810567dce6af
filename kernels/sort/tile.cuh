// How radix sorts move a tile: each key to the place that its digit and its rank give it, with its value.
#pragma once

#include "kernels/block/radix_rank.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

/// How keys get from registers to the output.
enum class store {
  direct,  ///< each thread writes its own
  staged   ///< through shared memory, so that neighbouring threads write neighbouring keys of a digit
};

/// Bytes of dynamic shared memory that scatter_tile needs.
__host__ __device__ constexpr int staging_bytes(store how, int block_size, int items, int key_size) {
  return how == store::staged ? block_size * items * key_size : 0;
}

/// The keys of a tile that begins at `begin` in an array of n.
template <int Tile>
__device__ __forceinline__ int present_of(long long begin, long long n) {
  return static_cast<int>(min(n - begin, static_cast<long long>(Tile)));
}

/// out[first[digit_of(key)] + rank] = key for each of the `present` keys of the block's tile, whose ranks are their
/// places in the order of digits; items without a key have block::no_rank. With Pairs, value_of(i) of item i goes to
/// the same place of values_out. `first` is behind a barrier.
template <store Store, bool Pairs, int BlockSize, int Items, class T, class Offset, class DigitOf, class ValueOf>
__device__ __forceinline__ void scatter_tile(const T (&keys)[Items], const unsigned (&ranks)[Items], int present,
                                             const Offset* first, DigitOf digit_of, ValueOf value_of, T* out,
                                             unsigned* values_out) {
  extern __shared__ __align__(16) unsigned char staging[];
  if constexpr (Store == store::direct) {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (ranks[i] == block::no_rank) continue;
      const Offset to = first[digit_of(keys[i])] + ranks[i];
      out[to] = keys[i];
      if constexpr (Pairs) values_out[to] = value_of(i);
    }
  } else {
    const int thread = static_cast<int>(threadIdx.x);
    T* const staged = reinterpret_cast<T*>(staging);
#pragma unroll
    for (int i = 0; i < Items; ++i)
      if (ranks[i] != block::no_rank) staged[ranks[i]] = keys[i];
    __syncthreads();
    Offset to[Items];
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int place = i * BlockSize + thread;
      if (place >= present) continue;
      const T key = staged[place];
      to[i] = first[digit_of(key)] + static_cast<Offset>(place);
      out[to[i]] = key;
    }
    if constexpr (Pairs) {
      unsigned* const staged_values = reinterpret_cast<unsigned*>(staging);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < Items; ++i)
        if (ranks[i] != block::no_rank) staged_values[ranks[i]] = value_of(i);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < Items; ++i)
        if (i * BlockSize + thread < present) values_out[to[i]] = staged_values[i * BlockSize + thread];
    }
  }
}

}  // namespace warpwright::sort
