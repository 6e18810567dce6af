// The device's work on a chunk, shared by all kernels of the pattern.
#pragma once

#include "kernels/pipeline/element.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::pipeline {

/// out[i] = worked(in[i]) for i < count, by a one-dimensional grid of any size.
template <class T>
__device__ __forceinline__ void work_on_chunk(const T* in, T* out, long long count, int operations) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    out[i] = worked(in[i], operations);
}

}  // namespace warpwright::pipeline
