// A known bug: an in-place reduction over the whole grid, whose blocks do not wait for one another.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// work[i] = i < count ? in[i] : 0 for i < padded.
template <int Unused = 0>
__global__ void pad(const int* in, int* work, long long count, long long padded) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < padded) work[i] = i < count ? in[i] : 0;
}

/// Adds the upper half of work[0..2 * half) to the lower. The wrong form goes on to one element without waiting.
template <bool Right>
__global__ void fold(int* work, int* out, long long half) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (long long width = half; width > 0; width = Right ? 0 : width / 2) {
    if (i < width) work[i] += work[i + width];
    __syncthreads();
  }
  if (i == 0) *out = work[0];
}

}  // namespace warpwright::known_bugs
