// Shared by all kernels of Richardson's iteration: when sweeps end, and how a row is finished.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::richardson {

enum class stop {
  sweeps,   ///< after the requested number of sweeps
  residual  ///< after the first sweep that found all residuals within the tolerance, if that is earlier
};

/// The operator that combines the lanes' parts of a product.
struct addition {
  template <class T>
  static __device__ __forceinline__ T combine(T a, T b) {
    return a + b;
  }
};

/// The arguments that all sweeps share.
template <class T>
struct sweep_rule {
  T alpha;
  T tolerance;
  int rows;
  int first;  ///< the number of the first sweep of the launch
};

/// The bits of a number >= 0, which ascend with the number, and the inverse.
__device__ __forceinline__ unsigned long long bits_of(float number) {
  return __builtin_bit_cast(unsigned int, number);
}
__device__ __forceinline__ unsigned long long bits_of(double number) {
  return __builtin_bit_cast(unsigned long long, number);
}
template <class T>
__device__ __forceinline__ T number_of(unsigned long long bits) {
  if constexpr (sizeof(T) == sizeof bits)
    return __builtin_bit_cast(T, bits);
  else
    return __builtin_bit_cast(T, static_cast<unsigned int>(bits));
}

/// Where sweeps record their progress: the number of sweeps done, and for each the bits of the largest residual that it
/// found; 0 for sweeps not done.
template <class T>
struct progress {
  T* taken;
  unsigned long long* largest;
};

/// Whether the sweep before number `sweep` was the last.
template <stop Stop, class T>
__device__ __forceinline__ bool has_stopped(const sweep_rule<T>& rule, const progress<T>& of, int sweep) {
  if constexpr (Stop == stop::sweeps) return false;
  return sweep > 0 && number_of<T>(of.largest[sweep - 1]) <= rule.tolerance;
}

/// to[row] = from[row] + alpha (product - f[row]), where `product` is row `row` of A times `from`.
template <stop Stop, class T>
__device__ __forceinline__ void finish_row(T product, long long row, const T* f, const T* from, T* to,
                                           const sweep_rule<T>& rule, const progress<T>& of, int sweep) {
  const T residual = product - f[row];
  to[row] = fma(rule.alpha, residual, from[row]);
  if constexpr (Stop == stop::residual) {
    if (row == 0) *of.taken = static_cast<T>(sweep + 1);
    atomicMax(of.largest + sweep, bits_of(fabs(residual)));
  }
}

}  // namespace warpwright::richardson
