// pipeline/oversubscribed: managed memory larger than the board's, which migrates to the host and back while kernels
// run.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct oversubscribed_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int percent = 125;   ///< size of the arena in percent of the board's memory
  bool operator==(const oversubscribed_params&) const = default;
};

/// arena[copy * count + i] = worked(in[i]) for every copy and i < count.
template <class T, oversubscribed_params P>
__global__ void __launch_bounds__(P.block_size)
    oversubscribed(const T* in, T* arena, long long copies, long long count, int operations) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (long long copy = 0; copy < copies; ++copy)
    for (long long i = first; i < count; i += stride) arena[copy * count + i] = worked(in[i], operations);
}

/// out[i] = element i of one of the copies; copies are used in turn.
template <class T, oversubscribed_params P>
__global__ void __launch_bounds__(P.block_size) gather(const T* arena, T* out, long long copies, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    out[i] = arena[i % copies * count + i];
}

}  // namespace warpwright::pipeline
