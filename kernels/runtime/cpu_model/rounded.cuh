// CUDA's arithmetic and conversions with a rounding mode in their names, for the CPU.
// Declares: __f*_r? __d*_r? __double2float_r? __int2*_r? __uint2*_r? __ll2*_r? __ull2*_r?
#pragma once

#include <fenv.h>

#include "kernels/runtime/cpu_model/interface.cuh"

// Defines a function for each rounding mode. Volatile copies keep the operation between the changes of the mode.
#define WARPWRIGHT_IN_MODE(name, mode, result_type, declare, copy, expression) \
  WARPWRIGHT_UNSEEN inline result_type name declare {                          \
    const int before = fegetround();                                           \
    fesetround(mode);                                                          \
    copy;                                                                      \
    volatile result_type result = expression;                                  \
    fesetround(before);                                                        \
    return result;                                                             \
  }
#define WARPWRIGHT_DIRECTED(name, result_type, declare, copy, expression)              \
  WARPWRIGHT_IN_MODE(name##_rz, FE_TOWARDZERO, result_type, declare, copy, expression) \
  WARPWRIGHT_IN_MODE(name##_ru, FE_UPWARD, result_type, declare, copy, expression)     \
  WARPWRIGHT_IN_MODE(name##_rd, FE_DOWNWARD, result_type, declare, copy, expression)
#define WARPWRIGHT_OF_ONE(name, result_type, type, expression) \
  inline result_type name##_rn(type a) {                       \
    return expression;                                         \
  }                                                            \
  WARPWRIGHT_DIRECTED(name, result_type, (type first), const volatile type a = first, expression)
#define WARPWRIGHT_OF_TWO(name, type, expression)                                           \
  inline type name##_rn(type a, type b) {                                                   \
    return expression;                                                                      \
  }                                                                                         \
  WARPWRIGHT_DIRECTED(name, type, (type first, type second), const volatile type a = first; \
                      const volatile type b = second, expression)
#define WARPWRIGHT_OF_THREE(name, type, expression)                                                     \
  inline type name##_rn(type a, type b, type c) {                                                       \
    return expression;                                                                                  \
  }                                                                                                     \
  WARPWRIGHT_DIRECTED(name, type, (type first, type second, type third), const volatile type a = first; \
                      const volatile type b = second; const volatile type c = third, expression)

namespace warpwright::cuda {

WARPWRIGHT_OF_TWO(__fadd, float, a + b)
WARPWRIGHT_OF_TWO(__fsub, float, a - b)
WARPWRIGHT_OF_TWO(__fmul, float, a* b)
WARPWRIGHT_OF_TWO(__fdiv, float, a / b)
WARPWRIGHT_OF_ONE(__frcp, float, float, 1.0f / a)
WARPWRIGHT_OF_ONE(__fsqrt, float, float, __builtin_sqrtf(a))
WARPWRIGHT_OF_THREE(__fmaf, float, __builtin_fmaf(a, b, c))
WARPWRIGHT_OF_THREE(__fmaf_ieee, float, __builtin_fmaf(a, b, c))
WARPWRIGHT_OF_TWO(__dadd, double, a + b)
WARPWRIGHT_OF_TWO(__dsub, double, a - b)
WARPWRIGHT_OF_TWO(__dmul, double, a* b)
WARPWRIGHT_OF_TWO(__ddiv, double, a / b)
WARPWRIGHT_OF_ONE(__drcp, double, double, 1.0 / a)
WARPWRIGHT_OF_ONE(__dsqrt, double, double, __builtin_sqrt(a))
WARPWRIGHT_OF_THREE(__fma, double, __builtin_fma(a, b, c))

WARPWRIGHT_OF_ONE(__double2float, float, double, static_cast<float>(a))
WARPWRIGHT_OF_ONE(__int2float, float, int, static_cast<float>(a))
WARPWRIGHT_OF_ONE(__uint2float, float, unsigned, static_cast<float>(a))
WARPWRIGHT_OF_ONE(__ll2float, float, long long, static_cast<float>(a))
WARPWRIGHT_OF_ONE(__ull2float, float, unsigned long long, static_cast<float>(a))
WARPWRIGHT_OF_ONE(__ll2double, double, long long, static_cast<double>(a))
WARPWRIGHT_OF_ONE(__ull2double, double, unsigned long long, static_cast<double>(a))

/// Computed with more digits than a float and a double have together, then rounded once.
inline float __frsqrt_rn(float a) {
  return static_cast<float>(1.0L / __builtin_sqrtl(a));
}
inline double __int2double_rn(int a) {
  return a;
}
inline double __uint2double_rn(unsigned a) {
  return a;
}

}  // namespace warpwright::cuda

#undef WARPWRIGHT_OF_THREE
#undef WARPWRIGHT_OF_TWO
#undef WARPWRIGHT_OF_ONE
#undef WARPWRIGHT_DIRECTED
#undef WARPWRIGHT_IN_MODE
