// Scaling of a matrix by a power of two, so that squares of its entries neither overflow nor vanish.
#pragma once

#include "kernels/eigen/entry.cuh"

namespace warpwright::eigen {

/// Two powers of two whose product is 1: scaling by either only changes exponents.
template <class T>
struct scaling {
  T down, up;
};

/// The scaling for which `largest`, which is not negative, times `down` lies in [1, 2). Both powers are normal numbers:
/// where `largest` is subnormal or near overflow, the product is as close to that interval as they allow.
__device__ __forceinline__ scaling<float> scaling_of(float largest) {
  const unsigned exponent = min(max(__float_as_uint(largest) >> 23, 1u), 253u);
  return {__uint_as_float((254u - exponent) << 23), __uint_as_float(exponent << 23)};
}
__device__ __forceinline__ scaling<double> scaling_of(double largest) {
  const long long exponent = min(max(__double_as_longlong(largest) >> 52, 1LL), 2045LL);
  return {__longlong_as_double((2046 - exponent) << 52), __longlong_as_double(exponent << 52)};
}

/// The larger size of the parts of an entry.
template <class T>
__device__ __forceinline__ T largest_part(real_entry<T> x) {
  return fabs(x.re);
}
template <class T>
__device__ __forceinline__ T largest_part(complex_entry<T> x) {
  return fmax(fabs(x.re), fabs(x.im));
}

}  // namespace warpwright::eigen
