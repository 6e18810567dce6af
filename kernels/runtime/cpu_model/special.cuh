// CUDA's special functions for the CPU: error functions and normal distributions, gamma, Bessel, trigonometry of
// multiples of pi, and norms. Computed in long double, which has at least 11 bits more than a double.
// Declares: erf* tgamma* lgamma* j0* j1* jn* y0* y1* yn* normcdf* cyl_bessel_* sinpi* cospi* sincospi* rhypot*
// Declares: norm* rnorm*
#pragma once

#include "kernels/runtime/cpu_model/elementary.cuh"

namespace warpwright::simulator {

inline constexpr long double pi = 3.14159265358979323846264338327950288L;
inline constexpr long double root_of_two = 1.41421356237309504880168872420969808L;
inline constexpr long double two_by_root_of_pi = 1.12837916709551257389615890312154517L;

/// sin(pi a + pi/2 * quarters), from the nearest multiple of pi/2: exact but for one sine or cosine up to pi/4.
inline long double sine_of_pi(long double a, int quarters) {
  if (!__builtin_isfinite(a)) return a - a;
  const long double rest = __builtin_fmodl(a, 2.0L);
  const long double nearest = __builtin_rintl(2 * rest);
  const long double angle = (rest - nearest / 2) * pi;
  switch ((static_cast<int>(nearest) + quarters) & 3) {
    case 0:
      return __builtin_sinl(angle);
    case 1:
      return __builtin_cosl(angle);
    case 2:
      return -__builtin_sinl(angle);
    default:
      return -__builtin_cosl(angle);
  }
}
/// Zeros of sinpi have the sign of the argument, those of cospi are +0.
template <class T>
inline T sinpi_of(T a) {
  if (__builtin_isfinite(a) && a == __builtin_trunc(a)) return static_cast<T>(__builtin_copysign(0.0, a));
  return static_cast<T>(sine_of_pi(a, 0));
}
template <class T>
inline T cospi_of(T a) {
  const long double found = sine_of_pi(a, 1);
  return static_cast<T>(found == 0 ? 0 : found);
}

/// The x with erfc(x) = a, for `small` = min(a, 2 - a) and `sign` that of x. Starts from S. Winitzki's approximation (A
/// handy approximation for the error function and its inverse, 2008), then takes steps of Halley's method.
inline long double inverse_erfc(long double small, long double sign) {
  constexpr long double fitted = 0.147L;
  const long double logarithm = __builtin_logl(small * (2 - small));
  const long double half = 2 / (pi * fitted) + logarithm / 2;
  long double x = __builtin_sqrtl(__builtin_sqrtl(half * half - logarithm / fitted) - half);
  for (int step = 0; step < 4; ++step) {
    const long double error = (__builtin_erfcl(x) - small) / (two_by_root_of_pi * __builtin_expl(-x * x));
    x += error / (1 - x * error);
  }
  return sign * x;
}
inline long double erfinv_of(long double a) {
  const long double size = __builtin_fabsl(a);
  if (!(size <= 1)) return __builtin_nanl("");
  if (size == 1) return a * __builtin_infl();
  if (size > 0.5L) return inverse_erfc(1 - size, a < 0 ? -1 : 1);
  long double x = a / two_by_root_of_pi;
  for (int step = 0; step < 5; ++step) {
    const long double error = (__builtin_erfl(x) - a) / (two_by_root_of_pi * __builtin_expl(-x * x));
    x -= error / (1 + x * error);
  }
  return x;
}
/// Near 1 by erfinv, since erfc has lost the digits that matter.
inline long double erfcinv_of(long double a) {
  if (!(a >= 0 && a <= 2)) return __builtin_nanl("");
  if (a == 0 || a == 2) return a == 0 ? __builtin_infl() : -__builtin_infl();
  if (a > 0.5L && a < 1.5L) return erfinv_of(1 - a);
  return a < 1 ? inverse_erfc(a, 1) : inverse_erfc(2 - a, -1);
}

/// exp(a * a) erfc(a); by its asymptotic series (NIST DLMF 7.12.1) if the factors overflow or underflow.
inline long double erfcx_of(long double a) {
  if (a < -30) return __builtin_infl();
  if (a < 50) {
    const long double square = a * a;
    const long double lost = __builtin_fmal(a, a, -square);
    return __builtin_expl(square) * (1 + lost) * __builtin_erfcl(a);
  }
  const long double step = 1 / (2 * a * a);
  long double term = 1, sum = 1;
  for (int k = 1; k <= 9; ++k) {
    term *= -(2 * k - 1) * step;
    sum += term;
  }
  return sum / a * (two_by_root_of_pi / 2);
}

/// The modified Bessel function of the first kind by its power series (NIST DLMF 10.25.2), whose terms are all
/// positive.
inline long double modified_bessel(int order, long double a) {
  if (a != a) return a;
  const long double size = __builtin_fabsl(a);
  const long double sign = order == 1 && a < 0 ? -1 : 1;
  if (size > 800) return sign * __builtin_infl();
  long double term = order == 0 ? 1 : size / 2, sum = term;
  for (int k = 1; term > sum * 1e-22L; ++k) {
    term *= size * size / (4.0L * k * (k + order));
    sum += term;
  }
  return order == 1 && a == 0 ? a : sign * sum;
}

/// Bessel functions of the second kind, and those of orders that CUDA does not accept.
template <class Function>
inline long double second_kind(long double a, Function function) {
  if (!(a > 0)) return a == 0 ? -__builtin_infl() : __builtin_nanl("");
  return function(a);
}

/// The root of a sum of squares; infinite if an argument is. Squares do not overflow in long double.
inline long double norm_of(long double a, long double b, long double c, long double d) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d)) return __builtin_infl();
  return __builtin_sqrtl(a * a + b * b + c * c + d * d);
}

template <class T>
__attribute__((no_sanitize("thread"))) inline long double norm_of_array(int count, const T* values, const void* site) {
  long double sum = 0;
  bool infinite = false;
  for (int k = 0; k < count; ++k) {
    runtime->access(values + k, sizeof(T), site);
    infinite = infinite || __builtin_isinf(values[k]);
    sum += static_cast<long double>(values[k]) * values[k];
  }
  return infinite ? __builtin_infl() : __builtin_sqrtl(sum);
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_OF_ONE(name, of_float, of_double) \
  inline float name##f(float a) {                    \
    return static_cast<float>(of_float);             \
  }                                                  \
  inline float name(float a) {                       \
    return name##f(a);                               \
  }                                                  \
  inline double name(double a) {                     \
    return static_cast<double>(of_double);           \
  }
#define WARPWRIGHT_WIDER(name) WARPWRIGHT_OF_ONE(name, __builtin_##name(a), __builtin_##name##l(a))
#define WARPWRIGHT_SAME(name, expression) WARPWRIGHT_OF_ONE(name, expression, expression)
WARPWRIGHT_WIDER(erf)
WARPWRIGHT_WIDER(erfc)
WARPWRIGHT_WIDER(tgamma)
WARPWRIGHT_WIDER(lgamma)
WARPWRIGHT_WIDER(j0)
WARPWRIGHT_WIDER(j1)
WARPWRIGHT_SAME(y0, simulator::second_kind(a, [](long double x) { return __builtin_y0l(x); }))
WARPWRIGHT_SAME(y1, simulator::second_kind(a, [](long double x) { return __builtin_y1l(x); }))
WARPWRIGHT_SAME(erfinv, simulator::erfinv_of(a))
WARPWRIGHT_SAME(erfcinv, simulator::erfcinv_of(a))
WARPWRIGHT_SAME(erfcx, simulator::erfcx_of(a))
WARPWRIGHT_SAME(normcdf, 0.5L * __builtin_erfcl(-a / simulator::root_of_two))
WARPWRIGHT_SAME(normcdfinv, -simulator::root_of_two* simulator::erfcinv_of(2.0L * a))
WARPWRIGHT_SAME(cyl_bessel_i0, simulator::modified_bessel(0, a))
WARPWRIGHT_SAME(cyl_bessel_i1, simulator::modified_bessel(1, a))
WARPWRIGHT_SAME(sinpi, simulator::sinpi_of(a))
WARPWRIGHT_SAME(cospi, simulator::cospi_of(a))
#undef WARPWRIGHT_SAME
#undef WARPWRIGHT_WIDER
#undef WARPWRIGHT_OF_ONE

inline double jn(int order, double a) {
  return order < 0 ? __builtin_nan("") : static_cast<double>(__builtin_jnl(order, a));
}
inline float jnf(int order, float a) {
  return order < 0 ? __builtin_nanf("") : static_cast<float>(__builtin_jn(order, a));
}
inline float jn(int order, float a) {
  return jnf(order, a);
}
inline double yn(int order, double a) {
  if (order < 0) return __builtin_nan("");
  return static_cast<double>(simulator::second_kind(a, [order](long double x) { return __builtin_ynl(order, x); }));
}
inline float ynf(int order, float a) {
  return static_cast<float>(yn(order, static_cast<double>(a)));
}
inline float yn(int order, float a) {
  return ynf(order, a);
}

#define WARPWRIGHT_SINCOSPI(name, type)                                                   \
  WARPWRIGHT_UNSEEN inline void name(type a, type* sine, type* cosine) {                  \
    simulator::store_result(sine, simulator::sinpi_of(a), __builtin_return_address(0));   \
    simulator::store_result(cosine, simulator::cospi_of(a), __builtin_return_address(0)); \
  }
WARPWRIGHT_SINCOSPI(sincospif, float)
WARPWRIGHT_SINCOSPI(sincospi, float)
WARPWRIGHT_SINCOSPI(sincospi, double)
#undef WARPWRIGHT_SINCOSPI

#define WARPWRIGHT_NORMS(type, suffix)                                                                  \
  inline type rhypot##suffix(type a, type b) {                                                          \
    return static_cast<type>(1 / simulator::norm_of(a, b, 0, 0));                                       \
  }                                                                                                     \
  inline type norm3d##suffix(type a, type b, type c) {                                                  \
    return static_cast<type>(simulator::norm_of(a, b, c, 0));                                           \
  }                                                                                                     \
  inline type rnorm3d##suffix(type a, type b, type c) {                                                 \
    return static_cast<type>(1 / simulator::norm_of(a, b, c, 0));                                       \
  }                                                                                                     \
  inline type norm4d##suffix(type a, type b, type c, type d) {                                          \
    return static_cast<type>(simulator::norm_of(a, b, c, d));                                           \
  }                                                                                                     \
  inline type rnorm4d##suffix(type a, type b, type c, type d) {                                         \
    return static_cast<type>(1 / simulator::norm_of(a, b, c, d));                                       \
  }                                                                                                     \
  WARPWRIGHT_UNSEEN inline type norm##suffix(int count, const type* values) {                           \
    return static_cast<type>(simulator::norm_of_array(count, values, __builtin_return_address(0)));     \
  }                                                                                                     \
  WARPWRIGHT_UNSEEN inline type rnorm##suffix(int count, const type* values) {                          \
    return static_cast<type>(1 / simulator::norm_of_array(count, values, __builtin_return_address(0))); \
  }
WARPWRIGHT_NORMS(float, f)
WARPWRIGHT_NORMS(double, )
#undef WARPWRIGHT_NORMS

}  // namespace warpwright::cuda
