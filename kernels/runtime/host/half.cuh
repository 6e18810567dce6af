// CUDA's half-precision types for a host compiler: what <cuda_fp16.h> and <cuda_bf16.h> are on the SIMT executor.
#pragma once

#include "kernels/runtime/half.cuh"

namespace warpwright::cuda {

/// Arithmetic is rounded after every operation. Done in float and rounded again it is right: a float has more than
/// twice the digits and two (S. Figueroa, When is double rounding innocuous?, SIGNUM 1995).
template <class Self>
struct HalfArithmetic {
  friend constexpr Self operator+(Self a, Self b) { return Self(static_cast<float>(a) + static_cast<float>(b)); }
  friend constexpr Self operator-(Self a, Self b) { return Self(static_cast<float>(a) - static_cast<float>(b)); }
  friend constexpr Self operator*(Self a, Self b) { return Self(static_cast<float>(a) * static_cast<float>(b)); }
  friend constexpr Self operator/(Self a, Self b) { return Self(static_cast<float>(a) / static_cast<float>(b)); }
  friend constexpr Self operator-(Self a) { return Self(-static_cast<float>(a)); }
  friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
  friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
  friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
};

struct __half : HalfArithmetic<__half> {
  float16 stored;

  __half() = default;
  constexpr __half(double value) : stored(value) {}
  constexpr operator float() const { return stored; }
};

struct __nv_bfloat16 : HalfArithmetic<__nv_bfloat16> {
  bfloat16 stored;

  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(double value) : stored(value) {}
  constexpr operator float() const { return stored; }
};

using half = __half;
using nv_bfloat16 = __nv_bfloat16;

constexpr __half __float2half(float value) {
  return value;
}
constexpr __half __float2half_rn(float value) {
  return value;
}
constexpr float __half2float(__half value) {
  return value;
}
constexpr __nv_bfloat16 __float2bfloat16(float value) {
  return value;
}
constexpr __nv_bfloat16 __float2bfloat16_rn(float value) {
  return value;
}
constexpr float __bfloat162float(__nv_bfloat16 value) {
  return value;
}

}  // namespace warpwright::cuda

using namespace warpwright::cuda;
