// Half-precision storage types: the same bits on CPU and GPU, without CUDA's headers.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright {

namespace detail {

/// The 16-bit number with that many exponent and mantissa bits that is nearest to `value`; ties go to the even one
/// (IEEE 754-2019, 4.3.1). A NaN stays a NaN and keeps the upper bits of its payload.
template <int Exponent, int Mantissa>
__host__ __device__ constexpr unsigned short narrowed(double value) {
  constexpr int kBias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned kInfinity = ((1U << Exponent) - 1) << Mantissa;
  constexpr int kDoubleMantissa = 52;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 15;
  const int exponent = static_cast<int>(bits >> kDoubleMantissa & 0x7ff) - 1023;
  const unsigned long long fraction = bits & ((1ULL << kDoubleMantissa) - 1);
  if (exponent == 1024 && fraction != 0) {
    const unsigned carried = static_cast<unsigned>(fraction >> (kDoubleMantissa - Mantissa)) | 1U << (Mantissa - 1);
    return static_cast<unsigned short>(sign | kInfinity | carried);
  }
  if (exponent > kBias) return static_cast<unsigned short>(sign | kInfinity);
  const bool is_normal = exponent > -kBias;
  const int dropped = kDoubleMantissa - Mantissa + (is_normal ? 0 : 1 - kBias - exponent);
  // Less than half of the smallest positive number: rounds to zero.
  if (dropped > kDoubleMantissa + 1) return static_cast<unsigned short>(sign);
  const unsigned long long significand = fraction | 1ULL << kDoubleMantissa;
  const unsigned long long rest = significand & ((1ULL << dropped) - 1);
  const unsigned long long tie = 1ULL << (dropped - 1);
  unsigned kept = static_cast<unsigned>(significand >> dropped);
  if (rest > tie || (rest == tie && (kept & 1) != 0)) ++kept;
  // The leading bit of a normal significand, and a carry out of it, both add one to the exponent.
  if (is_normal) kept += static_cast<unsigned>(exponent + kBias - 1) << Mantissa;
  return static_cast<unsigned short>(sign | kept);
}

/// The float with the same value. Every 16-bit number is exactly a float.
template <int Exponent, int Mantissa>
__host__ __device__ constexpr float widened(unsigned short bits) {
  constexpr int kFloatMantissa = 23;
  constexpr int kMoreExponent = 127 - ((1 << (Exponent - 1)) - 1);
  constexpr int kLast = (1 << Exponent) - 1;
  const unsigned sign = static_cast<unsigned>(bits >> 15) << 31;
  unsigned fraction = bits & ((1U << Mantissa) - 1);
  int exponent = bits >> Mantissa & kLast;
  if (kMoreExponent == 0) return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
  if (exponent == 0 && fraction == 0) return __builtin_bit_cast(float, sign);
  if (exponent == kLast) {
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
  __host__ __device__ explicit constexpr float16(double value) : bits(detail::narrowed<5, 10>(value)) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<5, 10>(bits); }
};

/// The upper half of a float (bfloat16). Arithmetic is done in float.
struct bfloat16 {
  unsigned short bits;

  bfloat16() = default;
  __host__ __device__ explicit constexpr bfloat16(double value) : bits(detail::narrowed<8, 7>(value)) {}
  __host__ __device__ constexpr operator float() const { return detail::widened<8, 7>(bits); }
};

}  // namespace warpwright
