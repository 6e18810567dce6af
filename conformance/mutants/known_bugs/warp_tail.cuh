// A known bug: the last warp of a tree reduction relies on its lanes running in lockstep.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// out[block] = the sum of the block's 64 elements of in[0..count).
template <bool Right>
__global__ void warp_tail(const int* in, int* out, long long count) {
  __shared__ int sums[64];
  const int thread = static_cast<int>(threadIdx.x);
  const long long at = static_cast<long long>(blockIdx.x) * 64 + thread;
  sums[thread] = at < count ? in[at] : 0;
  __syncthreads();
  if (thread < 32) {
    for (int half = 32; half > 0; half /= 2) {
      if (Right) {
        const int other = thread + half < 64 ? sums[thread + half] : 0;
        __syncwarp();
        sums[thread] += other;
        __syncwarp();
      } else {
        sums[thread] += sums[thread + half];
      }
    }
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

}  // namespace warpwright::known_bugs
