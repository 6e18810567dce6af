// Conversions between float and the short floats, in one instruction where the GPU has one.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright {

/// The same value as a float.
template <class T>
__device__ __forceinline__ float to_float(T value) {
  return static_cast<float>(value);
}

/// The nearest number of type T, as T's constructor gives it; ties go to the even one. A NaN may lose its payload.
template <class T>
__device__ __forceinline__ T from_float(float value) {
  return static_cast<T>(value);
}

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET) && defined(__CUDA_ARCH__)

template <>
__device__ __forceinline__ float to_float(float16 value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
}

template <>
__device__ __forceinline__ float16 from_float(float value) {
  float16 nearest;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(nearest.bits) : "f"(value));
  return nearest;
}

template <>
__device__ __forceinline__ bfloat16 from_float(float value) {
  bfloat16 nearest;
#if __CUDA_ARCH__ >= 800
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(nearest.bits) : "f"(value));
#else  // adds half of the last place that is kept, or a little less if that place is even
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  nearest.bits = static_cast<unsigned short>(value != value ? 0x7fffU : (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
#endif
  return nearest;
}

#endif

}  // namespace warpwright
