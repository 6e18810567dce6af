// scale/inline_ptx: one of its two ways to load is not modelled in the simulator, but right on a GPU.
#pragma once

#include <cuda.h>

#include "kernels/runtime/device.cuh"

namespace warpwright::scale {

struct inline_ptx_params {
  int block_size = 128;
  int streams = 1;  ///< loads that are evicted first, which only PTX can express
  bool operator==(const inline_ptx_params&) const = default;
};

// Plain functions with operands of each kind and in each spelling. A compiler that reads only the params must accept
// them too.
__device__ unsigned lane_of_thread() {
  unsigned lane;
  __asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ float load_streaming(const float* from) {
  float value;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
  return value;
}

__device__ __forceinline__ double twice(double value, unsigned short one) {
  double result;
  __asm__ __volatile__(
      "{\n\t.reg .f64 as_double;\n\tcvt.rn.f64.u16 as_double, %2;\n\tfma.rn.f64 %0, %1, as_double, %1;\n\t}"
      : "=d"(result)
      : "d"(value), "h"(one));
  return result;
}

/// Prefetches a tile of a tensor; no configuration here uses it.
__device__ void prefetch(const CUtensorMap& map) {
  static_assert(sizeof(CUtensorMap) == 128);
  __asm__ volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// out[i] = 2 * in[i] for i < count.
template <class T, inline_ptx_params P>
__global__ void inline_ptx(const T* in, T* out, long long count) {
  if constexpr (P.streams != 0) {
    const unsigned first = threadIdx.x - threadIdx.x % warpSize;
    const long long i = static_cast<long long>(blockIdx.x) * P.block_size + first + lane_of_thread();
    if (i < count) out[i] = static_cast<T>(twice(load_streaming(in + i), 1));
  } else {
    const long long i = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
    if (i < count) out[i] = 2 * in[i];
  }
}

}  // namespace warpwright::scale
