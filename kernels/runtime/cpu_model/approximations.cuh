// The instructions that approximate reciprocals and inverse roots, as the simulator models them.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// With .ftz, subnormal numbers are zeros of their sign.
template <bool FlushesToZero, class T>
WARPWRIGHT_UNSEEN inline T flushed(T x) {
  return FlushesToZero && __builtin_fpclassify(0, 1, 2, 3, 4, x) == 3 ? static_cast<T>(__builtin_copysign(T(0), x)) : x;
}

/// rcp.approx. Of a double it takes and gives the upper 32 bits (PTX ISA).
template <bool FlushesToZero>
WARPWRIGHT_UNSEEN inline float approximate_reciprocal(float x) {
  return flushed<FlushesToZero>(1.0F / flushed<FlushesToZero>(x));
}
template <bool FlushesToZero>
WARPWRIGHT_UNSEEN inline double approximate_reciprocal(double x) {
  const auto upper = [](double value) {
    return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, value) >> 32 << 32);
  };
  return upper(flushed<FlushesToZero>(1.0 / flushed<FlushesToZero>(upper(x))));
}

/// rsqrt.approx, likewise.
template <bool FlushesToZero>
WARPWRIGHT_UNSEEN inline float approximate_inverse_root(float x) {
  return flushed<FlushesToZero>(static_cast<float>(1.0 / __builtin_sqrt(flushed<FlushesToZero>(x))));
}
template <bool FlushesToZero>
WARPWRIGHT_UNSEEN inline double approximate_inverse_root(double x) {
  return flushed<FlushesToZero>(1.0 / __builtin_sqrt(flushed<FlushesToZero>(x)));
}

}  // namespace warpwright::simulator
