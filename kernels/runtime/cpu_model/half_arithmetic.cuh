// Arithmetic, extrema, comparisons and elementary functions of CUDA's half-precision headers, for the CPU.
#pragma once

#include "kernels/runtime/cpu_model/atomics.cuh"
#include "kernels/runtime/cpu_model/elementary.cuh"
#include "kernels/runtime/cpu_model/extrema.cuh"
#include "kernels/runtime/cpu_model/half_types.cuh"

namespace warpwright::simulator {

/// Clamps to [0, 1]; a NaN becomes 0.
template <half_number T>
constexpr T saturated_half(T a) {
  const float value = a;
  return value > 0 ? value < 1 ? a : T(1.0) : T(0.0);
}
template <half_number T>
constexpr T without_negatives(T a) {
  const float value = a;
  return value < 0 || value == 0 ? T(0.0) : a;
}
template <half_number T>
constexpr T fused(T a, T b, T c) {
  const double product = static_cast<double>(static_cast<float>(a)) * static_cast<float>(b);
  return T(sum_to_odd(product, static_cast<float>(c)));
}
template <half_number T>
constexpr bool is_nan(T a) {
  const float value = a;
  return value != value;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_HALF_OF_ONE(name, pair_name, expression)                         \
  template <simulator::half_number T>                                               \
  T name(T a) {                                                                     \
    return expression;                                                              \
  }                                                                                 \
  template <simulator::half_pair P>                                                 \
  P pair_name(P a) {                                                                \
    return simulator::each_half([](typename P::one_type x) { return name(x); }, a); \
  }
#define WARPWRIGHT_HALF_OF_TWO(name, pair_name, expression)                                                       \
  template <simulator::half_number T>                                                                             \
  T name(T a, simulator::same<T> b) {                                                                             \
    return expression;                                                                                            \
  }                                                                                                               \
  template <simulator::half_pair P>                                                                               \
  P pair_name(P a, simulator::same<P> b) {                                                                        \
    return simulator::each_half([](typename P::one_type x, typename P::one_type y) { return name(x, y); }, a, b); \
  }
#define WARPWRIGHT_HALF_OF_THREE(name, pair_name, expression)                                \
  template <simulator::half_number T>                                                        \
  T name(T a, simulator::same<T> b, simulator::same<T> c) {                                  \
    return expression;                                                                       \
  }                                                                                          \
  template <simulator::half_pair P>                                                          \
  P pair_name(P a, simulator::same<P> b, simulator::same<P> c) {                             \
    using One = typename P::one_type;                                                        \
    return simulator::each_half([](One x, One y, One z) { return name(x, y, z); }, a, b, c); \
  }
WARPWRIGHT_HALF_OF_TWO(__hadd, __hadd2, a + b)
WARPWRIGHT_HALF_OF_TWO(__hsub, __hsub2, a - b)
WARPWRIGHT_HALF_OF_TWO(__hmul, __hmul2, a* b)
WARPWRIGHT_HALF_OF_TWO(__hdiv, __h2div, a / b)
WARPWRIGHT_HALF_OF_TWO(__hadd_rn, __hadd2_rn, a + b)
WARPWRIGHT_HALF_OF_TWO(__hsub_rn, __hsub2_rn, a - b)
WARPWRIGHT_HALF_OF_TWO(__hmul_rn, __hmul2_rn, a* b)
WARPWRIGHT_HALF_OF_TWO(__hadd_sat, __hadd2_sat, simulator::saturated_half(a + b))
WARPWRIGHT_HALF_OF_TWO(__hsub_sat, __hsub2_sat, simulator::saturated_half(a - b))
WARPWRIGHT_HALF_OF_TWO(__hmul_sat, __hmul2_sat, simulator::saturated_half(a* b))
WARPWRIGHT_HALF_OF_THREE(__hfma, __hfma2, simulator::fused<T>(a, b, c))
WARPWRIGHT_HALF_OF_THREE(__hfma_sat, __hfma2_sat, simulator::saturated_half(simulator::fused<T>(a, b, c)))
WARPWRIGHT_HALF_OF_THREE(__hfma_relu, __hfma2_relu, simulator::without_negatives(simulator::fused<T>(a, b, c)))
WARPWRIGHT_HALF_OF_ONE(__hneg, __hneg2, -a)
WARPWRIGHT_HALF_OF_ONE(__habs, __habs2, simulator::half_of_bits<T>(a.stored.bits & 0x7fff))
WARPWRIGHT_HALF_OF_TWO(__hmin, __hmin2, T(simulator::lesser<float>(a, b)))
WARPWRIGHT_HALF_OF_TWO(__hmax, __hmax2, T(simulator::greater<float>(a, b)))
WARPWRIGHT_HALF_OF_TWO(__hmin_nan, __hmin2_nan,
                       simulator::is_nan<T>(a)   ? a
                       : simulator::is_nan<T>(b) ? b
                                                 : __hmin(a, b))
WARPWRIGHT_HALF_OF_TWO(__hmax_nan, __hmax2_nan,
                       simulator::is_nan<T>(a)   ? a
                       : simulator::is_nan<T>(b) ? b
                                                 : __hmax(a, b))

#define WARPWRIGHT_HALF_MATH(name, expression) WARPWRIGHT_HALF_OF_ONE(h##name, h2##name, T(expression))
WARPWRIGHT_HALF_MATH(ceil, __builtin_ceilf(a))
WARPWRIGHT_HALF_MATH(floor, __builtin_floorf(a))
WARPWRIGHT_HALF_MATH(trunc, __builtin_truncf(a))
WARPWRIGHT_HALF_MATH(rint, __builtin_rintf(a))
WARPWRIGHT_HALF_MATH(sqrt, __builtin_sqrt(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(rsqrt, 1 / __builtin_sqrt(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(rcp, 1.0 / static_cast<float>(a))
WARPWRIGHT_HALF_MATH(sin, __builtin_sin(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(cos, __builtin_cos(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(tanh, __builtin_tanh(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(tanh_approx, __builtin_tanh(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(exp, __builtin_exp(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(exp2, __builtin_exp2(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(exp10, __builtin_exp10(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(log, __builtin_log(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(log2, __builtin_log2(static_cast<float>(a)))
WARPWRIGHT_HALF_MATH(log10, __builtin_log10(static_cast<float>(a)))
#undef WARPWRIGHT_HALF_MATH
#undef WARPWRIGHT_HALF_OF_THREE
#undef WARPWRIGHT_HALF_OF_TWO
#undef WARPWRIGHT_HALF_OF_ONE

template <simulator::half_number T>
bool __hisnan(T a) {
  return simulator::is_nan(a);
}
/// 1 or -1 for an infinity of that sign, else 0.
template <simulator::half_number T>
int __hisinf(T a) {
  const float value = a;
  return __builtin_isinf(value) ? value < 0 ? -1 : 1 : 0;
}
template <simulator::half_pair P>
P __hisnan2(P a) {
  using One = typename P::one_type;
  return simulator::each_half([](One x) { return One(simulator::is_nan(x) ? 1.0 : 0.0); }, a);
}

// Comparisons of single numbers; of pairs as 1.0 or 0.0; of pairs, whether both are true; and as masks of all or no
// bits. A comparison with a NaN is false, but true in functions whose names end in u.
#define WARPWRIGHT_HALF_COMPARED(name, expression)                                                    \
  template <simulator::half_number T>                                                                 \
  bool __h##name(T first, simulator::same<T> second) {                                                \
    const float a = first, b = second;                                                                \
    return expression;                                                                                \
  }                                                                                                   \
  template <simulator::half_pair P>                                                                   \
  P __h##name##2(P a, simulator::same<P> b) {                                                         \
    using One = typename P::one_type;                                                                 \
    return simulator::each_half([](One x, One y) { return One(__h##name(x, y) ? 1.0 : 0.0); }, a, b); \
  }                                                                                                   \
  template <simulator::half_pair P>                                                                   \
  bool __hb##name##2(P a, simulator::same<P> b) {                                                     \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                \
  }                                                                                                   \
  template <simulator::half_pair P>                                                                   \
  unsigned __h##name##2_mask(P a, simulator::same<P> b) {                                             \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);           \
  }
WARPWRIGHT_HALF_COMPARED(eq, a == b)
WARPWRIGHT_HALF_COMPARED(ne, a<b || a> b)
WARPWRIGHT_HALF_COMPARED(lt, a < b)
WARPWRIGHT_HALF_COMPARED(le, a <= b)
WARPWRIGHT_HALF_COMPARED(gt, a > b)
WARPWRIGHT_HALF_COMPARED(ge, a >= b)
WARPWRIGHT_HALF_COMPARED(equ, !(a < b || a > b))
WARPWRIGHT_HALF_COMPARED(neu, a != b)
WARPWRIGHT_HALF_COMPARED(ltu, !(a >= b))
WARPWRIGHT_HALF_COMPARED(leu, !(a > b))
WARPWRIGHT_HALF_COMPARED(gtu, !(a <= b))
WARPWRIGHT_HALF_COMPARED(geu, !(a < b))
#undef WARPWRIGHT_HALF_COMPARED

// An atomic on a pair is atomic for each number, not for both together.
template <simulator::half_number T>
WARPWRIGHT_UNSEEN T atomicAdd(T* address, simulator::same<T> value) {
  return simulator::replace(address, 0u, __builtin_return_address(0),
                            [=] WARPWRIGHT_UNTRACED_LAMBDA(T old) { return old + value; });
}
template <simulator::half_pair P>
WARPWRIGHT_UNSEEN P atomicAdd(P* address, simulator::same<P> value) {
  using One = typename P::one_type;
  const void* const site = __builtin_return_address(0);
  const auto add = [site] WARPWRIGHT_UNTRACED_LAMBDA(One * to, One one) {
    return simulator::replace(to, 0u, site, [one] WARPWRIGHT_UNTRACED_LAMBDA(One old) { return old + one; });
  };
  const One first = add(&address->x, value.x);
  return {first, add(&address->y, value.y)};
}

}  // namespace warpwright::cuda
