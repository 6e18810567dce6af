// CUDA's elementary functions in both precisions, for the CPU. The C library computes them, in a wider type where its
// error is larger than CUDA documents.
// Declares: sqrt* rsqrt* cbrt* rcbrt* floor* ceil* trunc* rint* nearbyint* round* logb* exp* log* pow* fma fmaf
// Declares: sin sinf cos cosf tan tanf asin* acos* atan* sinh* cosh* tanh* sincos sincosf copysign* nextafter* fmod*
// Declares: remainder* remquo* fdim* hypot* fdivide* ldexp* scalb* ilogb* frexp* modf*
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// Stores a result through a pointer of device code.
template <class T>
__attribute__((no_sanitize("thread"), always_inline)) inline void store_result(T* to, same<T> value, const void* site) {
  runtime->access(to, sizeof(T) | access_write, site);
  *to = value;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

// Defines name(float) and namef(float) by one expression of a, and name(double) by another.
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
#define WARPWRIGHT_NATIVE(name) WARPWRIGHT_OF_ONE(name, __builtin_##name##f(a), __builtin_##name(a))
#define WARPWRIGHT_FLOAT_WIDER(name) WARPWRIGHT_OF_ONE(name, __builtin_##name(a), __builtin_##name(a))
#define WARPWRIGHT_WIDER(name) WARPWRIGHT_OF_ONE(name, __builtin_##name(a), __builtin_##name##l(a))
WARPWRIGHT_NATIVE(sqrt)
WARPWRIGHT_NATIVE(floor)
WARPWRIGHT_NATIVE(ceil)
WARPWRIGHT_NATIVE(trunc)
WARPWRIGHT_NATIVE(rint)
WARPWRIGHT_NATIVE(nearbyint)
WARPWRIGHT_NATIVE(round)
WARPWRIGHT_NATIVE(logb)
WARPWRIGHT_NATIVE(exp)
WARPWRIGHT_NATIVE(exp2)
WARPWRIGHT_NATIVE(log)
WARPWRIGHT_NATIVE(log2)
WARPWRIGHT_NATIVE(sin)
WARPWRIGHT_NATIVE(cos)
WARPWRIGHT_FLOAT_WIDER(tan)
WARPWRIGHT_FLOAT_WIDER(asin)
WARPWRIGHT_FLOAT_WIDER(acos)
WARPWRIGHT_FLOAT_WIDER(atan)
WARPWRIGHT_WIDER(exp10)
WARPWRIGHT_WIDER(expm1)
WARPWRIGHT_WIDER(log10)
WARPWRIGHT_WIDER(log1p)
WARPWRIGHT_WIDER(cbrt)
WARPWRIGHT_WIDER(sinh)
WARPWRIGHT_WIDER(cosh)
WARPWRIGHT_WIDER(tanh)
WARPWRIGHT_WIDER(asinh)
WARPWRIGHT_WIDER(acosh)
WARPWRIGHT_WIDER(atanh)
WARPWRIGHT_OF_ONE(rsqrt, 1.0 / __builtin_sqrt(a), 1.0L / __builtin_sqrtl(a))
WARPWRIGHT_OF_ONE(rcbrt, 1.0 / __builtin_cbrt(a), 1.0L / __builtin_cbrtl(a))
#undef WARPWRIGHT_WIDER
#undef WARPWRIGHT_FLOAT_WIDER
#undef WARPWRIGHT_NATIVE
#undef WARPWRIGHT_OF_ONE

#define WARPWRIGHT_OF_TWO(name, of_float, of_double) \
  inline float name##f(float a, float b) {           \
    return static_cast<float>(of_float);             \
  }                                                  \
  inline float name(float a, float b) {              \
    return name##f(a, b);                            \
  }                                                  \
  inline double name(double a, double b) {           \
    return static_cast<double>(of_double);           \
  }
#define WARPWRIGHT_NATIVE(name) WARPWRIGHT_OF_TWO(name, __builtin_##name##f(a, b), __builtin_##name(a, b))
WARPWRIGHT_NATIVE(copysign)
WARPWRIGHT_NATIVE(nextafter)
WARPWRIGHT_NATIVE(fmod)
WARPWRIGHT_NATIVE(remainder)
WARPWRIGHT_NATIVE(fdim)
WARPWRIGHT_NATIVE(pow)
WARPWRIGHT_OF_TWO(atan2, __builtin_atan2(a, b), __builtin_atan2(a, b))
WARPWRIGHT_OF_TWO(hypot, __builtin_hypot(a, b), __builtin_hypotl(a, b))
#undef WARPWRIGHT_NATIVE
#undef WARPWRIGHT_OF_TWO

inline float pow(float a, int b) {
  return __builtin_powf(a, static_cast<float>(b));
}
inline double pow(double a, int b) {
  return __builtin_pow(a, b);
}
inline float fdividef(float a, float b) {
  return a / b;
}
inline double fdivide(double a, double b) {
  return a / b;
}
inline float fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline float fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

#define WARPWRIGHT_SCALED(name, power)            \
  inline float name##f(float a, power exponent) { \
    return __builtin_##name##f(a, exponent);      \
  }                                               \
  inline float name(float a, power exponent) {    \
    return __builtin_##name##f(a, exponent);      \
  }                                               \
  inline double name(double a, power exponent) {  \
    return __builtin_##name(a, exponent);         \
  }
WARPWRIGHT_SCALED(ldexp, int)
WARPWRIGHT_SCALED(scalbn, int)
WARPWRIGHT_SCALED(scalbln, long)
#undef WARPWRIGHT_SCALED

inline int ilogb(double a) {
  constexpr int lowest = -__INT_MAX__ - 1;
  if (a == 0 || a != a) return lowest;
  return __builtin_isinf(a) ? __INT_MAX__ : __builtin_ilogb(a);
}
inline int ilogb(float a) {
  return ilogb(static_cast<double>(a));
}
inline int ilogbf(float a) {
  return ilogb(static_cast<double>(a));
}

// Results through pointers are stores of the caller.
#define WARPWRIGHT_PARTS(type, name, suffix)                                                \
  WARPWRIGHT_UNSEEN inline type frexp##name(type a, int* exponent) {                        \
    int found = 0;                                                                          \
    const type fraction = __builtin_frexp##suffix(a, &found);                               \
    simulator::store_result(exponent, found, __builtin_return_address(0));                  \
    return fraction;                                                                        \
  }                                                                                         \
  WARPWRIGHT_UNSEEN inline type modf##name(type a, type* whole) {                           \
    type found = 0;                                                                         \
    const type fraction = __builtin_modf##suffix(a, &found);                                \
    simulator::store_result(whole, found, __builtin_return_address(0));                     \
    return fraction;                                                                        \
  }                                                                                         \
  WARPWRIGHT_UNSEEN inline type remquo##name(type a, type b, int* quotient) {               \
    int found = 0;                                                                          \
    const type remainder = __builtin_remquo##suffix(a, b, &found);                          \
    simulator::store_result(quotient, found, __builtin_return_address(0));                  \
    return remainder;                                                                       \
  }                                                                                         \
  WARPWRIGHT_UNSEEN inline void sincos##name(type a, type* sine, type* cosine) {            \
    simulator::store_result(sine, __builtin_sin##suffix(a), __builtin_return_address(0));   \
    simulator::store_result(cosine, __builtin_cos##suffix(a), __builtin_return_address(0)); \
  }
WARPWRIGHT_PARTS(float, f, f)
WARPWRIGHT_PARTS(float, , f)
WARPWRIGHT_PARTS(double, , )
#undef WARPWRIGHT_PARTS

}  // namespace warpwright::cuda
