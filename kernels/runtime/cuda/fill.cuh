// Fills a buffer by a functor of (seed, index, count), declared in any header.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::support {

/// out[i] = element i of the stream `seed`, as `make` returns it.
template <class T, class Make>
__global__ void fill(T* out, Make make, unsigned long long seed, long long count) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads)
    out[i] = make(seed, i, count);
}

}  // namespace warpwright::support
