// Reciprocals and inverse roots in one instruction each. Subnormal numbers are taken as zero, and none result.
#pragma once

#include "kernels/runtime/device.cuh"

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
#include "kernels/runtime/cpu_model/approximations.cuh"
#endif

namespace warpwright {

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

WARPWRIGHT_UNSEEN inline float approximate_reciprocal(float x) {
  return simulator::approximate_reciprocal<true>(x);
}
WARPWRIGHT_UNSEEN inline double approximate_reciprocal(double x) {
  return simulator::approximate_reciprocal<true>(x);
}
WARPWRIGHT_UNSEEN inline float approximate_inverse_root(float x) {
  return simulator::approximate_inverse_root<true>(x);
}

#else

/// 1 / x, with an error of one unit in the last place at most (PTX ISA, rcp.approx.ftz.f32).
__device__ __forceinline__ float approximate_reciprocal(float x) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
}

/// 1 / x to 20 bits (PTX ISA, rcp.approx.ftz.f64).
__device__ __forceinline__ double approximate_reciprocal(double x) {
  double inverse;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(x));
  return inverse;
}

/// 1 / sqrt(x), with a relative error of 2^-22.4 at most (PTX ISA, rsqrt.approx.ftz.f32).
__device__ __forceinline__ float approximate_inverse_root(float x) {
  float inverse;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
}

#endif

}  // namespace warpwright
