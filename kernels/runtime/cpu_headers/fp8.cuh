// Replaces <cuda_fp8.h> in the simulator: CUDA's 8-bit floats, single ones, pairs and fours.
// Replaces: cuda_fp8.h
#pragma once

#include "kernels/runtime/cpu_model/half.cuh"

namespace warpwright::cuda {

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

struct alignas(4) __half2_raw {
  unsigned short x, y;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

/// Rounds to the nearest. Too large numbers become the largest one, or without saturation NaN (E4M3) or infinite.
constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
  constexpr double largest_e4m3 = 448, overflows_e4m3 = 464, largest_e5m2 = 57344;
  const auto bits = __builtin_bit_cast(unsigned long long, x);
  const auto sign = static_cast<__nv_fp8_storage_t>(bits >> 63 << 7);
  if (x != x) {
    constexpr int dropped = 50;  // bits of the mantissa
    const unsigned upper = kind == __NV_E4M3 ? 1 : static_cast<unsigned>(bits >> dropped) & 3;
    return static_cast<__nv_fp8_storage_t>(sign | 0x7e | upper);
  }
  if (kind == __NV_E4M3) {
    if (saturate == __NV_NOSAT && (x > overflows_e4m3 || x < -overflows_e4m3))
      return static_cast<__nv_fp8_storage_t>(sign | 0x7f);
    return static_cast<__nv_fp8_storage_t>(detail::narrowed<4, 3, false>(detail::limited(x, largest_e4m3)));
  }
  return static_cast<__nv_fp8_storage_t>(
      detail::narrowed<5, 2>(saturate == __NV_NOSAT ? x : detail::limited(x, largest_e5m2)));
}
constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t kind) {
  return x != x ? 0x7f : __nv_cvt_double_to_fp8(x, saturate, kind);
}
constexpr __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half(x), saturate, kind);
}
constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, kind);
}

/// Exact; each NaN becomes the same one.
constexpr __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  constexpr __half_raw nan{0x7fff};
  const unsigned magnitude = x & 0x7f;
  if (magnitude > (kind == __NV_E4M3 ? 0x7eU : 0x7cU)) return nan;
  if (kind == __NV_E5M2) return {static_cast<unsigned short>(x << 8)};
  return __half(static_cast<double>(detail::widened<4, 3, false>(x)));
}

constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturate, kind) |
                                           __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturate, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturate, kind) << 8);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_halfraw_to_fp8({x.x}, saturate, kind) |
                                           __nv_cvt_halfraw_to_fp8({x.y}, saturate, kind) << 8);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_bfloat16raw_to_fp8({x.x}, saturate, kind) |
                                           __nv_cvt_bfloat16raw_to_fp8({x.y}, saturate, kind) << 8);
}
constexpr __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x};
}

}  // namespace warpwright::cuda

namespace warpwright::simulator {

/// Towards zero, and to the nearest integer of that type; 0 for NaN.
template <class T>
constexpr T integer_of_float8(float value) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  if (value != value) return 0;
  if constexpr (bits == 8) {
    constexpr float least = is_signed ? -128 : 0, most = is_signed ? 127 : 255;
    if (value < least) return static_cast<T>(least);
    if (value > most) return static_cast<T>(most);
  } else {
    // Of the larger types, an 8-bit float exceeds the range of 16 bits only, and 0. Infinities exceed all.
    constexpr T lowest = is_signed ? static_cast<T>(T(1) << (bits - 1)) : T(0);
    constexpr T highest = static_cast<T>(~lowest);
    if (value < static_cast<float>(lowest)) return lowest;
    if (value >= static_cast<float>(highest)) return highest;
  }
  return static_cast<T>(value);
}

/// What the types of both formats have in common.
template <cuda::__nv_fp8_interpretation_t Kind>
struct Float8 {
  cuda::__nv_fp8_storage_t __x;

  Float8() = default;
  constexpr explicit Float8(float value) : __x(cuda::__nv_cvt_float_to_fp8(value, cuda::__NV_SATFINITE, Kind)) {}
  constexpr explicit Float8(double value) : __x(cuda::__nv_cvt_double_to_fp8(value, cuda::__NV_SATFINITE, Kind)) {}
  constexpr explicit Float8(cuda::__half value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(cuda::__nv_bfloat16 value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(int value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(unsigned value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(short value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(unsigned short value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(long value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(unsigned long value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(long long value) : Float8(static_cast<float>(value)) {}
  constexpr explicit Float8(unsigned long long value) : Float8(static_cast<float>(value)) {}

  constexpr explicit operator cuda::__half() const { return cuda::__nv_cvt_fp8_to_halfraw(__x, Kind); }
  constexpr explicit operator float() const { return static_cast<float>(static_cast<cuda::__half>(*this)); }
  constexpr explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  constexpr explicit operator cuda::__nv_bfloat16() const { return static_cast<double>(*this); }
  constexpr explicit operator bool() const { return (__x & 0x7f) != 0; }
  constexpr explicit operator char() const { return integer_of_float8<char>(static_cast<float>(*this)); }
  constexpr explicit operator signed char() const { return integer_of_float8<signed char>(static_cast<float>(*this)); }
  constexpr explicit operator unsigned char() const {
    return integer_of_float8<unsigned char>(static_cast<float>(*this));
  }
  constexpr explicit operator short() const { return integer_of_float8<short>(static_cast<float>(*this)); }
  constexpr explicit operator unsigned short() const {
    return integer_of_float8<unsigned short>(static_cast<float>(*this));
  }
  constexpr explicit operator int() const { return integer_of_float8<int>(static_cast<float>(*this)); }
  constexpr explicit operator unsigned() const { return integer_of_float8<unsigned>(static_cast<float>(*this)); }
  constexpr explicit operator long() const { return integer_of_float8<long>(static_cast<float>(*this)); }
  constexpr explicit operator unsigned long() const {
    return integer_of_float8<unsigned long>(static_cast<float>(*this));
  }
  constexpr explicit operator long long() const { return integer_of_float8<long long>(static_cast<float>(*this)); }
  constexpr explicit operator unsigned long long() const {
    return integer_of_float8<unsigned long long>(static_cast<float>(*this));
  }
};

template <cuda::__nv_fp8_interpretation_t Kind>
struct alignas(2) Float8Pair {
  cuda::__nv_fp8x2_storage_t __x;

  Float8Pair() = default;
  constexpr explicit Float8Pair(cuda::float2 of)
      : __x(cuda::__nv_cvt_float2_to_fp8x2(of, cuda::__NV_SATFINITE, Kind)) {}
  constexpr explicit Float8Pair(cuda::double2 of)
      : __x(cuda::__nv_cvt_double2_to_fp8x2(of, cuda::__NV_SATFINITE, Kind)) {}
  constexpr explicit Float8Pair(cuda::__half2 of) : Float8Pair(cuda::float2{of.x, of.y}) {}
  constexpr explicit Float8Pair(cuda::__nv_bfloat162 of) : Float8Pair(cuda::float2{of.x, of.y}) {}

  constexpr explicit operator cuda::__half2() const {
    const cuda::__half2_raw raw = cuda::__nv_cvt_fp8x2_to_halfraw2(__x, Kind);
    return {cuda::__half(cuda::__half_raw{raw.x}), cuda::__half(cuda::__half_raw{raw.y})};
  }
  constexpr explicit operator cuda::float2() const {
    const auto halves = static_cast<cuda::__half2>(*this);
    return {halves.x, halves.y};
  }
};

template <cuda::__nv_fp8_interpretation_t Kind>
struct alignas(4) Float8Four {
  cuda::__nv_fp8x4_storage_t __x;

  Float8Four() = default;
  constexpr explicit Float8Four(cuda::float4 of) : Float8Four(cuda::double4{of.x, of.y, of.z, of.w}, false) {}
  constexpr explicit Float8Four(cuda::double4 of) : Float8Four(of, true) {}
  constexpr explicit Float8Four(cuda::__half2 low, cuda::__half2 high)
      : Float8Four(cuda::float4{low.x, low.y, high.x, high.y}) {}
  constexpr explicit Float8Four(cuda::__nv_bfloat162 low, cuda::__nv_bfloat162 high)
      : Float8Four(cuda::float4{low.x, low.y, high.x, high.y}) {}

  constexpr explicit operator cuda::float4() const {
    const auto one = [&](int i) {
      return static_cast<float>(
          cuda::__half(cuda::__nv_cvt_fp8_to_halfraw(static_cast<cuda::__nv_fp8_storage_t>(__x >> 8 * i), Kind)));
    };
    return {one(0), one(1), one(2), one(3)};
  }

 private:
  constexpr Float8Four(cuda::double4 of, bool of_doubles) : __x(0) {
    const double all[] = {of.x, of.y, of.z, of.w};
    for (int i = 0; i < 4; ++i) {
      const unsigned one = of_doubles
                               ? cuda::__nv_cvt_double_to_fp8(all[i], cuda::__NV_SATFINITE, Kind)
                               : cuda::__nv_cvt_float_to_fp8(static_cast<float>(all[i]), cuda::__NV_SATFINITE, Kind);
      __x |= one << 8 * i;
    }
  }
};

}  // namespace warpwright::simulator

namespace warpwright::cuda {

struct __nv_fp8_e4m3 : simulator::Float8<__NV_E4M3> {
  using Float8::Float8;
};
struct __nv_fp8_e5m2 : simulator::Float8<__NV_E5M2> {
  using Float8::Float8;
};
struct __nv_fp8x2_e4m3 : simulator::Float8Pair<__NV_E4M3> {
  using Float8Pair::Float8Pair;
};
struct __nv_fp8x2_e5m2 : simulator::Float8Pair<__NV_E5M2> {
  using Float8Pair::Float8Pair;
};
struct __nv_fp8x4_e4m3 : simulator::Float8Four<__NV_E4M3> {
  using Float8Four::Float8Four;
};
struct __nv_fp8x4_e5m2 : simulator::Float8Four<__NV_E5M2> {
  using Float8Four::Float8Four;
};

}  // namespace warpwright::cuda
