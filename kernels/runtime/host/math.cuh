// CUDA's scalar mathematics for a host compiler, without the standard library's headers.
#pragma once

namespace warpwright::cuda {

constexpr int min(int a, int b) {
  return b < a ? b : a;
}
constexpr unsigned min(unsigned a, unsigned b) {
  return b < a ? b : a;
}
constexpr long min(long a, long b) {
  return b < a ? b : a;
}
constexpr unsigned long min(unsigned long a, unsigned long b) {
  return b < a ? b : a;
}
constexpr long long min(long long a, long long b) {
  return b < a ? b : a;
}
constexpr unsigned long long min(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
inline float min(float a, float b) {
  return __builtin_fminf(a, b);
}
inline double min(double a, double b) {
  return __builtin_fmin(a, b);
}
constexpr unsigned min(int a, unsigned b) {
  return min(static_cast<unsigned>(a), b);
}
constexpr unsigned min(unsigned a, int b) {
  return min(a, static_cast<unsigned>(b));
}
constexpr unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
constexpr unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
inline double min(float a, double b) {
  return min(static_cast<double>(a), b);
}
inline double min(double a, float b) {
  return min(a, static_cast<double>(b));
}

constexpr int max(int a, int b) {
  return a < b ? b : a;
}
constexpr unsigned max(unsigned a, unsigned b) {
  return a < b ? b : a;
}
constexpr long max(long a, long b) {
  return a < b ? b : a;
}
constexpr unsigned long max(unsigned long a, unsigned long b) {
  return a < b ? b : a;
}
constexpr long long max(long long a, long long b) {
  return a < b ? b : a;
}
constexpr unsigned long long max(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
inline float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
inline double max(double a, double b) {
  return __builtin_fmax(a, b);
}
constexpr unsigned max(int a, unsigned b) {
  return max(static_cast<unsigned>(a), b);
}
constexpr unsigned max(unsigned a, int b) {
  return max(a, static_cast<unsigned>(b));
}
constexpr unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
constexpr unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
inline double max(float a, double b) {
  return max(static_cast<double>(a), b);
}
inline double max(double a, float b) {
  return max(a, static_cast<double>(b));
}

constexpr int abs(int a) {
  return a < 0 ? -a : a;
}
constexpr long long abs(long long a) {
  return a < 0 ? -a : a;
}
inline float abs(float a) {
  return __builtin_fabsf(a);
}
inline double abs(double a) {
  return __builtin_fabs(a);
}

inline float fminf(float a, float b) {
  return __builtin_fminf(a, b);
}
inline float fmaxf(float a, float b) {
  return __builtin_fmaxf(a, b);
}
inline float fabsf(float a) {
  return __builtin_fabsf(a);
}
inline float sqrtf(float a) {
  return __builtin_sqrtf(a);
}
inline float rsqrtf(float a) {
  return 1.0f / __builtin_sqrtf(a);
}
inline float fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline float floorf(float a) {
  return __builtin_floorf(a);
}
inline float ceilf(float a) {
  return __builtin_ceilf(a);
}
inline float truncf(float a) {
  return __builtin_truncf(a);
}
inline float rintf(float a) {
  return __builtin_rintf(a);
}
inline float expf(float a) {
  return __builtin_expf(a);
}
inline float logf(float a) {
  return __builtin_logf(a);
}
inline float powf(float a, float b) {
  return __builtin_powf(a, b);
}
inline float copysignf(float a, float b) {
  return __builtin_copysignf(a, b);
}

inline float fmin(float a, float b) {
  return __builtin_fminf(a, b);
}
inline double fmin(double a, double b) {
  return __builtin_fmin(a, b);
}
inline float fmax(float a, float b) {
  return __builtin_fmaxf(a, b);
}
inline double fmax(double a, double b) {
  return __builtin_fmax(a, b);
}
inline float fabs(float a) {
  return __builtin_fabsf(a);
}
inline double fabs(double a) {
  return __builtin_fabs(a);
}
inline float sqrt(float a) {
  return __builtin_sqrtf(a);
}
inline double sqrt(double a) {
  return __builtin_sqrt(a);
}
inline double rsqrt(double a) {
  return 1.0 / __builtin_sqrt(a);
}
inline float fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline float floor(float a) {
  return __builtin_floorf(a);
}
inline double floor(double a) {
  return __builtin_floor(a);
}
inline float ceil(float a) {
  return __builtin_ceilf(a);
}
inline double ceil(double a) {
  return __builtin_ceil(a);
}
inline float trunc(float a) {
  return __builtin_truncf(a);
}
inline double trunc(double a) {
  return __builtin_trunc(a);
}
inline float rint(float a) {
  return __builtin_rintf(a);
}
inline double rint(double a) {
  return __builtin_rint(a);
}
inline float exp(float a) {
  return __builtin_expf(a);
}
inline double exp(double a) {
  return __builtin_exp(a);
}
inline float log(float a) {
  return __builtin_logf(a);
}
inline double log(double a) {
  return __builtin_log(a);
}
inline float pow(float a, float b) {
  return __builtin_powf(a, b);
}
inline double pow(double a, double b) {
  return __builtin_pow(a, b);
}
inline bool isnan(float a) {
  return __builtin_isnan(a);
}
inline bool isnan(double a) {
  return __builtin_isnan(a);
}
inline bool isinf(float a) {
  return __builtin_isinf(a);
}
inline bool isinf(double a) {
  return __builtin_isinf(a);
}
inline bool isfinite(float a) {
  return __builtin_isfinite(a);
}
inline bool isfinite(double a) {
  return __builtin_isfinite(a);
}
inline bool signbit(float a) {
  return __builtin_signbit(a);
}
inline bool signbit(double a) {
  return __builtin_signbit(a);
}

inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __fsqrt_rn(float a) {
  return __builtin_sqrtf(a);
}
inline float __frsqrt_rn(float a) {
  return static_cast<float>(1.0 / __builtin_sqrt(a));
}
inline float __fmaf_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __fma_rn(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

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

}  // namespace warpwright::cuda
