// Combines a value of every thread of a row, so that all of them get the result.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::rows {

/// The value of the lane whose number differs in the bits of `mask`.
__device__ __forceinline__ float of_other_lane(float value, int mask) {
  return __shfl_xor_sync(0xffffffffU, value, mask);
}

/// Combines the values of Lanes neighbouring lanes, a power of two up to 32. All lanes of the warp take part. Combine
/// must be commutative to the bit, so that all lanes get the same result.
template <int Lanes, class Combine, class Value>
__device__ __forceinline__ Value across_lanes(Value value) {
#pragma unroll
  for (int mask = Lanes / 2; mask > 0; mask /= 2) value = Combine::both(value, of_other_lane(value, mask));
  return value;
}

/// Combines the values of RowThreads neighbouring threads, a power of two, of a block of BlockSize threads, a multiple
/// of it and of 32. All threads of the block take part. More threads than a warp has need a barrier; another one
/// must lie between two calls with the same Combine.
template <int RowThreads, int BlockSize, class Combine, class Value>
__device__ __forceinline__ Value across_row(Value value) {
  static_assert(BlockSize % RowThreads == 0 && BlockSize % 32 == 0, "whole rows and whole warps");
  if constexpr (RowThreads <= 32) {
    return across_lanes<RowThreads, Combine>(value);
  } else {
    constexpr int kWarps = RowThreads / 32;  // of a row
    __shared__ Value of_warp[BlockSize / 32];
    const int thread = static_cast<int>(threadIdx.x);
    value = across_lanes<32, Combine>(value);
    if (thread % 32 == 0) of_warp[thread / 32] = value;
    __syncthreads();
    return across_lanes<kWarps, Combine>(of_warp[thread / RowThreads * kWarps + thread % kWarps]);
  }
}

}  // namespace warpwright::rows
