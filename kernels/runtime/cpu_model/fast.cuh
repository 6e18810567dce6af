// CUDA's fast intrinsics for the CPU. Results are off by pseudo-random parts of the largest documented errors, so that
// kernels that need better ones show it. Source: CUDA C++ Programming Guide, "Mathematical Functions", the table of
// intrinsic functions with their errors.
// Declares: __sinf __cosf __tanf __tanhf __sincosf __expf __exp10f __log*f __powf __fdividef __saturatef
#pragma once

#include "kernels/runtime/cpu_model/elementary.cuh"

namespace warpwright::simulator {

/// From -1 to 1, always the same for the same arguments.
inline float part_of_error(float a, float b) {
  unsigned bits = __builtin_bit_cast(unsigned, a) * 0x9e3779b1u ^ __builtin_bit_cast(unsigned, b) * 0x85ebca77u;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  bits = (bits ^ bits >> 12) * 0x297a2d39u;
  return static_cast<float>(static_cast<int>(bits ^ bits >> 15)) * 0x1p-31f;
}

/// The result, off by at most so many units in the last place and so much in addition. Documented errors include the
/// rounding of the result itself, which callers leave room for. What is exact for all GPUs, as e^0, stays exact.
inline float inexact(float result, float ulps, float absolute, float a, float b = 0) {
  if (a == 0 || result == 0 || !__builtin_isfinite(result)) return result;
  return result + part_of_error(a, b) * (ulps * __builtin_fabsf(result) * 0x1p-24f + absolute);
}

/// For |a| up to pi the absolute error of a sine is 2^-21.41, that of a cosine 2^-21.19.
inline float inexact_wave(float result, float a) {
  const float off = inexact(result, 0, 0x1.3p-22f, a);
  return off > 1 ? 1.0f : off < -1 ? -1.0f : off;
}

/// A logarithm's error is absolute from 1/2 to 2, and in units of the last place elsewhere.
inline float inexact_log(float result, float ulps, float absolute, float a) {
  return a >= 0.5f && a <= 2 ? inexact(result, 0, absolute, a - 1) : inexact(result, ulps, 0, a);
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

inline float __sinf(float a) {
  return simulator::inexact_wave(sinf(a), a);
}
inline float __cosf(float a) {
  return simulator::inexact_wave(cosf(a), a);
}
/// __sinf(a) / __cosf(a), as documented.
inline float __tanf(float a) {
  return __sinf(a) / __cosf(a);
}
/// A relative error of 2^-11.
inline float __tanhf(float a) {
  return simulator::inexact(tanhf(a), 0x1.ep12f, 0, a);
}
WARPWRIGHT_UNSEEN inline void __sincosf(float a, float* sine, float* cosine) {
  simulator::store_result(sine, __sinf(a), __builtin_return_address(0));
  simulator::store_result(cosine, __cosf(a), __builtin_return_address(0));
}
/// 2 + floor(1.173 |a|) units in the last place.
inline float __expf(float a) {
  return simulator::inexact(expf(a), 1 + __builtin_floorf(1.173f * __builtin_fabsf(a)), 0, a);
}
/// 2 + floor(2.97 |a|) units in the last place.
inline float __exp10f(float a) {
  return simulator::inexact(exp10f(a), 1 + __builtin_floorf(2.97f * __builtin_fabsf(a)), 0, a);
}
/// 2^-21.41, or 3 units in the last place.
inline float __logf(float a) {
  return simulator::inexact_log(logf(a), 2, 0x1.3p-22f, a);
}
/// 2^-22, or 2 units in the last place.
inline float __log2f(float a) {
  return simulator::inexact_log(log2f(a), 1, 0x1.8p-23f, a);
}
/// 2^-24, or 3 units in the last place.
inline float __log10f(float a) {
  return simulator::inexact_log(log10f(a), 2, 0x1p-25f, a);
}
/// exp2f(b * __log2f(a)), as documented.
inline float __powf(float a, float b) {
  return exp2f(b * __log2f(a));
}
/// 2 units in the last place. A divisor above 2^126 gives 0 (NaN for an infinite dividend), as documented.
inline float __fdividef(float a, float b) {
  const float size = __builtin_fabsf(b);
  return size > 0x1p126f && !__builtin_isinf(size) ? a * __builtin_copysignf(0.0f, b)
                                                   : simulator::inexact(a / b, 1, 0, a, b);
}
/// Clamps to [0, 1]; a NaN becomes 0.
inline float __saturatef(float a) {
  return a > 0 ? a < 1 ? a : 1.0f : 0.0f;
}

}  // namespace warpwright::cuda
