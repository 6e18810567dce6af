// CUDA's classification of floating-point numbers, and conversions between numbers and their bits.
// Declares: isnan isinf isfinite signbit nan nanf __float_as_* __double_as_longlong __int_as_float
// Declares: __uint_as_float __longlong_as_double __double2hiint __double2loint __hiloint2double
#pragma once

namespace warpwright::cuda {

#define WARPWRIGHT_QUESTIONS(type)    \
  inline int isnan(type a) {          \
    return __builtin_isnan(a);        \
  }                                   \
  inline int isinf(type a) {          \
    return __builtin_isinf(a) != 0;   \
  }                                   \
  inline int isfinite(type a) {       \
    return __builtin_isfinite(a);     \
  }                                   \
  inline int signbit(type a) {        \
    return __builtin_signbit(a) != 0; \
  }
WARPWRIGHT_QUESTIONS(float)
WARPWRIGHT_QUESTIONS(double)
#undef WARPWRIGHT_QUESTIONS

constexpr int __float_as_int(float a) {
  return __builtin_bit_cast(int, a);
}
constexpr unsigned __float_as_uint(float a) {
  return __builtin_bit_cast(unsigned, a);
}
constexpr float __int_as_float(int a) {
  return __builtin_bit_cast(float, a);
}
constexpr float __uint_as_float(unsigned a) {
  return __builtin_bit_cast(float, a);
}
constexpr long long __double_as_longlong(double a) {
  return __builtin_bit_cast(long long, a);
}
constexpr double __longlong_as_double(long long a) {
  return __builtin_bit_cast(double, a);
}
constexpr int __double2hiint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a) >> 32);
}
constexpr int __double2loint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a));
}
constexpr double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}

/// A NaN without the requested payload, which a GPU may lose too.
inline float nanf(const char*) {
  return __builtin_nanf("");
}
inline double nan(const char*) {
  return __builtin_nan("");
}

}  // namespace warpwright::cuda
