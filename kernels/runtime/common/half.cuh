// Short floating-point storage types: the same bits on CPU and GPU, without CUDA's headers.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright {

namespace detail {

/// The number of a sign, that many exponent and that many mantissa bits that is nearest to `value`; ties go to the even
/// one (IEEE 754-2019, 4.3.1). A NaN stays a NaN and keeps the upper bits of its payload. Without infinities the
/// largest exponent has numbers too, and all its bits set are the only NaN; `value` is then no larger than the largest
/// number.
template <int Exponent, int Mantissa, bool HasInfinity = true>
__host__ __device__ constexpr unsigned narrowed(double value) {
  constexpr int kBias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned kInfinity = ((1U << Exponent) - 1) << Mantissa;
  constexpr int kDoubleMantissa = 52;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << (Exponent + Mantissa);
  const int exponent = static_cast<int>(bits >> kDoubleMantissa & 0x7ff) - 1023;
  const unsigned long long fraction = bits & ((1ULL << kDoubleMantissa) - 1);
  if (exponent == 1024 && fraction != 0) {
    if (!HasInfinity) return sign | kInfinity | ((1U << Mantissa) - 1);
    const unsigned carried = static_cast<unsigned>(fraction >> (kDoubleMantissa - Mantissa)) | 1U << (Mantissa - 1);
    return sign | kInfinity | carried;
  }
  if (HasInfinity && exponent > kBias) return sign | kInfinity;
  const bool is_normal = exponent > -kBias;
  const int dropped = kDoubleMantissa - Mantissa + (is_normal ? 0 : 1 - kBias - exponent);
  // Less than half of the smallest positive number: rounds to zero.
  if (dropped > kDoubleMantissa + 1) return sign;
  const unsigned long long significand = fraction | 1ULL << kDoubleMantissa;
  const unsigned long long rest = significand & ((1ULL << dropped) - 1);
  const unsigned long long tie = 1ULL << (dropped - 1);
  unsigned kept = static_cast<unsigned>(significand >> dropped);
  if (rest > tie || (rest == tie && (kept & 1) != 0)) ++kept;
  // The leading bit of a normal significand, and a carry out of it, both add one to the exponent.
  if (is_normal) kept += static_cast<unsigned>(exponent + kBias - 1) << Mantissa;
  return sign | kept;
}

/// The float with the same value. Every such number is exactly a float.
template <int Exponent, int Mantissa, bool HasInfinity = true>
__host__ __device__ constexpr float widened(unsigned bits) {
  constexpr int kFloatMantissa = 23;
  constexpr int kMoreExponent = 127 - ((1 << (Exponent - 1)) - 1);
  constexpr int kLast = (1 << Exponent) - 1;
  const unsigned sign = bits >> (Exponent + Mantissa) << 31;
  unsigned fraction = bits & ((1U << Mantissa) - 1);
  int exponent = static_cast<int>(bits >> Mantissa & kLast);
  if (kMoreExponent == 0) return __builtin_bit_cast(float, bits << (kFloatMantissa - Mantissa));
  if (exponent == 0 && fraction == 0) return __builtin_bit_cast(float, sign);
  if (exponent == kLast && (HasInfinity || fraction == (1U << Mantissa) - 1)) {
    exponent = 0xff - kMoreExponent;
  } else if (exponent == 0) {
    for (exponent = 1; fraction >> Mantissa == 0; --exponent) fraction <<= 1;
    fraction &= (1U << Mantissa) - 1;
  }
  return __builtin_bit_cast(float, sign | static_cast<unsigned>(exponent + kMoreExponent) << kFloatMantissa |
                                       fraction << (kFloatMantissa - Mantissa));
}

}  // namespace detail

/// IEEE 754's binary16. Arithmetic is done in float.
struct float16 {
  unsigned short bits;

  float16() = default;
  __host__ __device__ explicit constexpr float16(double value)
      : bits(static_cast<unsigned short>(detail::narrowed<5, 10>(value))) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<5, 10>(bits); }
};

/// The upper half of a float (bfloat16). Arithmetic is done in float.
struct bfloat16 {
  unsigned short bits;

  bfloat16() = default;
  __host__ __device__ explicit constexpr bfloat16(double value)
      : bits(static_cast<unsigned short>(detail::narrowed<8, 7>(value))) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<8, 7>(bits); }
};

/// A float of which matrix units use the sign, the exponent and the upper 10 bits of the significand (TF32). Numbers
/// are rounded to these when they are converted; the other bits are 0. Arithmetic is done in float.
struct tfloat32 {
  unsigned bits;

  tfloat32() = default;
  __host__ __device__ explicit constexpr tfloat32(double value) : bits(detail::narrowed<8, 10>(value) << 13) {}
  __host__ __device__ constexpr operator float() const { return __builtin_bit_cast(float, bits); }
};

namespace detail {

/// NaN stays NaN.
__host__ __device__ constexpr double limited(double value, double largest) {
  return value > largest ? largest : value < -largest ? -largest : value;
}

}  // namespace detail

/// 8 bits: 4 of the exponent, 3 of the mantissa, no infinities; up to 448. Too large numbers become the largest one, as
/// CUDA's __nv_fp8_e4m3 has it. (Open Compute Project, OFP8, 2023.)
struct float8_e4m3 {
  unsigned char bits;

  float8_e4m3() = default;
  __host__ __device__ explicit constexpr float8_e4m3(double value)
      : bits(static_cast<unsigned char>(detail::narrowed<4, 3, false>(detail::limited(value, 448)))) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<4, 3, false>(bits); }
};

/// 8 bits: 5 of the exponent, 2 of the mantissa; up to 57,344. Too large numbers become the largest one, as CUDA's
/// __nv_fp8_e5m2 has it.
struct float8_e5m2 {
  unsigned char bits;

  float8_e5m2() = default;
  __host__ __device__ explicit constexpr float8_e5m2(double value)
      : bits(static_cast<unsigned char>(detail::narrowed<5, 2>(detail::limited(value, 57344)))) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<5, 2>(bits); }
};

}  // namespace warpwright
