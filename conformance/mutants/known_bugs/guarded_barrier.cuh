// A known bug: a barrier inside the bounds check, which the threads past the end do not reach.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// Within a block of BlockSize: out[i] = in[i - 1], and in[i] for the block's first i.
template <bool Right, int BlockSize>
__global__ void guarded_barrier(const int* in, int* out, long long count) {
  __shared__ int held[BlockSize];
  const int thread = static_cast<int>(threadIdx.x);
  const long long at = static_cast<long long>(blockIdx.x) * BlockSize + thread;
  if (Right) {
    if (at < count) held[thread] = in[at];
    __syncthreads();
    if (at < count) out[at] = held[thread > 0 ? thread - 1 : 0];
  } else if (at < count) {
    held[thread] = in[at];
    __syncthreads();
    out[at] = held[thread > 0 ? thread - 1 : 0];
  }
}

}  // namespace warpwright::known_bugs
