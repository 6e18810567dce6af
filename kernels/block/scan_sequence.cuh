// The exclusive scan of a sequence of counts in place, by one block: the second level of scans, sorts and compactions.
#pragma once

#include "kernels/block/scan.cuh"

namespace warpwright::block {

/// Values that a thread adds up one after another.
inline constexpr int kSequenceItems = 4;

/// Replaces each of `length` values by the sum of those before it, and returns the sum of all. All BlockSize threads of
/// the block call it; a barrier must lie between two calls. Each thread adds up a few neighbouring values, and the
/// block scans these sums, so that a long sequence has fewer barriers.
template <int BlockSize, class T>
__device__ __forceinline__ T scan_sequence(T* values, long long length) {
  constexpr int kItems = kSequenceItems;
  T before = 0;
  for (long long first = 0; first < length; first += BlockSize * kItems) {
    const long long mine = first + threadIdx.x * static_cast<long long>(kItems);
    T own[kItems], sum = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      own[i] = mine + i < length ? values[mine + i] : T(0);
      sum += own[i];
    }
    const scanned<T> here = exclusive_scan<add, BlockSize>(sum);
    T up_to = before + here.value;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (mine + i < length) values[mine + i] = up_to;
      up_to += own[i];
    }
    before += here.total;
    __syncthreads();
  }
  return before;
}

}  // namespace warpwright::block
