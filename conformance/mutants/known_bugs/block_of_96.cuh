// A known bug: a tree reduction that halves its width, in a block whose size is no power of two.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// out[block] = the sum of the block's 96 elements of in[0..count).
template <bool Right>
__global__ void block_of_96(const int* in, int* out, long long count) {
  __shared__ int sums[96];
  const int thread = static_cast<int>(threadIdx.x);
  const long long at = static_cast<long long>(blockIdx.x) * 96 + thread;
  sums[thread] = at < count ? in[at] : 0;
  __syncthreads();
  for (int width = 96; width > 1;) {
    const int half = Right ? (width + 1) / 2 : width / 2;
    if (thread + half < width && thread < half) sums[thread] += sums[thread + half];
    __syncthreads();
    width = half;
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

}  // namespace warpwright::known_bugs
