// Conversions and rearrangements of CUDA's half-precision headers, for the CPU.
#pragma once

#include "kernels/runtime/cpu_model/casts.cuh"
#include "kernels/runtime/cpu_model/half_types.cuh"

namespace warpwright::simulator {

/// An integer as a double, rounded to odd: its last bit is set if anything was lost.
template <class T>
constexpr double whole_to_odd(T value) {
  if constexpr (sizeof(T) < 8) {
    return value;
  } else {
    const T lower = value & static_cast<T>(0xffffffff);
    return sum_to_odd(static_cast<double>(value - lower), static_cast<double>(lower));
  }
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_TO_HALF(name, type, half, wide)                            \
  constexpr half name##_rn(type a) {                                          \
    return simulator::half_toward<half>(wide, simulator::Direction::nearest); \
  }                                                                           \
  constexpr half name##_rz(type a) {                                          \
    return simulator::half_toward<half>(wide, simulator::Direction::to_zero); \
  }                                                                           \
  constexpr half name##_ru(type a) {                                          \
    return simulator::half_toward<half>(wide, simulator::Direction::up);      \
  }                                                                           \
  constexpr half name##_rd(type a) {                                          \
    return simulator::half_toward<half>(wide, simulator::Direction::down);    \
  }
#define WARPWRIGHT_OF_HALF(name, type, half)                       \
  inline type name##_rn(half a) {                                  \
    return simulator::saturated<type, float>(__builtin_rintf(a));  \
  }                                                                \
  inline type name##_rz(half a) {                                  \
    return simulator::saturated<type, float>(__builtin_truncf(a)); \
  }                                                                \
  inline type name##_ru(half a) {                                  \
    return simulator::saturated<type, float>(__builtin_ceilf(a));  \
  }                                                                \
  inline type name##_rd(half a) {                                  \
    return simulator::saturated<type, float>(__builtin_floorf(a)); \
  }
#define WARPWRIGHT_INTEGERS(name, type, half, word)                             \
  WARPWRIGHT_TO_HALF(__##name##2##word, type, half, simulator::whole_to_odd(a)) \
  WARPWRIGHT_OF_HALF(__##word##2##name, type, half)

// The function names of one type: `word` for single numbers, `pair` for pairs.
#define WARPWRIGHT_HALF(half, word, pair_type, pair)                        \
  WARPWRIGHT_TO_HALF(__float2##word, float, half, static_cast<double>(a))   \
  WARPWRIGHT_INTEGERS(short, short, half, word)                             \
  WARPWRIGHT_INTEGERS(ushort, unsigned short, half, word)                   \
  WARPWRIGHT_INTEGERS(int, int, half, word)                                 \
  WARPWRIGHT_INTEGERS(uint, unsigned, half, word)                           \
  WARPWRIGHT_INTEGERS(ll, long long, half, word)                            \
  WARPWRIGHT_INTEGERS(ull, unsigned long long, half, word)                  \
  inline signed char __##word##2char_rz(half a) {                           \
    return simulator::saturated<signed char, float>(__builtin_truncf(a));   \
  }                                                                         \
  inline unsigned char __##word##2uchar_rz(half a) {                        \
    return simulator::saturated<unsigned char, float>(__builtin_truncf(a)); \
  }                                                                         \
  constexpr half __float2##word(float a) {                                  \
    return a;                                                               \
  }                                                                         \
  constexpr half __double2##word(double a) {                                \
    return a;                                                               \
  }                                                                         \
  constexpr float __##word##2float(half a) {                                \
    return a;                                                               \
  }                                                                         \
  constexpr pair_type __floats2##pair##_rn(float a, float b) {              \
    return {a, b};                                                          \
  }                                                                         \
  constexpr pair_type __float2##pair##_rn(float a) {                        \
    return {a, a};                                                          \
  }                                                                         \
  constexpr pair_type __float22##pair##_rn(float2 a) {                      \
    return {a.x, a.y};                                                      \
  }                                                                         \
  constexpr float2 __##pair##2float2(pair_type a) {                         \
    return {a.x, a.y};                                                      \
  }                                                                         \
  constexpr float __low2float(pair_type a) {                                \
    return a.x;                                                             \
  }                                                                         \
  constexpr float __high2float(pair_type a) {                               \
    return a.y;                                                             \
  }                                                                         \
  constexpr half __low2##word(pair_type a) {                                \
    return a.x;                                                             \
  }                                                                         \
  constexpr half __high2##word(pair_type a) {                               \
    return a.y;                                                             \
  }                                                                         \
  constexpr pair_type __low2##pair(pair_type a) {                           \
    return {a.x, a.x};                                                      \
  }                                                                         \
  constexpr pair_type __high2##pair(pair_type a) {                          \
    return {a.y, a.y};                                                      \
  }                                                                         \
  constexpr pair_type __lows2##pair(pair_type a, pair_type b) {             \
    return {a.x, b.x};                                                      \
  }                                                                         \
  constexpr pair_type __highs2##pair(pair_type a, pair_type b) {            \
    return {a.y, b.y};                                                      \
  }                                                                         \
  constexpr pair_type __lowhigh2highlow(pair_type a) {                      \
    return {a.y, a.x};                                                      \
  }                                                                         \
  constexpr pair_type __halves2##pair(half a, half b) {                     \
    return {a, b};                                                          \
  }                                                                         \
  constexpr pair_type __##word##2##pair(half a) {                           \
    return {a, a};                                                          \
  }                                                                         \
  constexpr pair_type make_##pair(half a, half b) {                         \
    return {a, b};                                                          \
  }
WARPWRIGHT_HALF(__half, half, __half2, half2)
WARPWRIGHT_HALF(__nv_bfloat16, bfloat16, __nv_bfloat162, bfloat162)
#undef WARPWRIGHT_HALF
#undef WARPWRIGHT_INTEGERS
#undef WARPWRIGHT_OF_HALF
#undef WARPWRIGHT_TO_HALF

#define WARPWRIGHT_HALF_BITS(half, word)                  \
  constexpr short __##word##_as_short(half a) {           \
    return static_cast<short>(a.stored.bits);             \
  }                                                       \
  constexpr unsigned short __##word##_as_ushort(half a) { \
    return a.stored.bits;                                 \
  }                                                       \
  constexpr half __short_as_##word(short a) {             \
    return simulator::half_of_bits<half>(a);              \
  }                                                       \
  constexpr half __ushort_as_##word(unsigned short a) {   \
    return simulator::half_of_bits<half>(a);              \
  }
WARPWRIGHT_HALF_BITS(__half, half)
WARPWRIGHT_HALF_BITS(__nv_bfloat16, bfloat16)
#undef WARPWRIGHT_HALF_BITS

}  // namespace warpwright::cuda
