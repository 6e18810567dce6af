// CUDA's fast intrinsics for the CPU, with a smaller error than CUDA documents.
// Declares: __sinf __cosf __tanf __tanhf __sincosf __expf __exp10f __log*f __powf __fdividef __saturatef
#pragma once

#include "kernels/runtime/cpu_model/elementary.cuh"

namespace warpwright::cuda {

inline float __sinf(float a) {
  return sinf(a);
}
inline float __cosf(float a) {
  return cosf(a);
}
inline float __tanf(float a) {
  return tanf(a);
}
inline float __tanhf(float a) {
  return tanhf(a);
}
WARPWRIGHT_UNSEEN inline void __sincosf(float a, float* sine, float* cosine) {
  simulator::store_result(sine, __builtin_sinf(a), __builtin_return_address(0));
  simulator::store_result(cosine, __builtin_cosf(a), __builtin_return_address(0));
}
inline float __expf(float a) {
  return expf(a);
}
inline float __exp10f(float a) {
  return exp10f(a);
}
inline float __logf(float a) {
  return logf(a);
}
inline float __log2f(float a) {
  return log2f(a);
}
inline float __log10f(float a) {
  return log10f(a);
}
inline float __powf(float a, float b) {
  return powf(a, b);
}
/// A divisor above 2^126 gives 0 (NaN for an infinite dividend), as documented.
inline float __fdividef(float a, float b) {
  const float size = __builtin_fabsf(b);
  return size > 0x1p126f && !__builtin_isinf(size) ? a * __builtin_copysignf(0.0f, b) : a / b;
}
/// Clamps to [0, 1]; a NaN becomes 0.
inline float __saturatef(float a) {
  return a > 0 ? a < 1 ? a : 1.0f : 0.0f;
}

}  // namespace warpwright::cuda
