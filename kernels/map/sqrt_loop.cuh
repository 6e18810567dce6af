// map/sqrt_loop: each element counts up until its square root reaches a limit. Arithmetic only, to show its cost.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::map {

/// How a square root is compared with the limit.
enum class root_form {
  exact,      ///< correctly rounded: sqrt(x) < limit
  reciprocal  ///< the hardware's approximate 1 / sqrt(x), compared with 1 / limit
};

struct sqrt_loop_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements that a thread counts up together
  int unroll = 1;      ///< increments between two checks whether all elements are done
  map::root_form root_form = map::root_form::exact;
  bool operator==(const sqrt_loop_params&) const = default;
};

namespace detail {

/// The type in which roots of elements are computed.
template <class T>
struct root_type {
  using type = T;
};
template <>
struct root_type<int> {
  using type = float;
};

}  // namespace detail

/// Whether the root of x is below `limit`; `inverse` is 1 / limit. False for x < 0 and NaN. For integers below 2^22 and
/// a limit of at most 1,024, the reciprocal form differs from the exact one at limit^2 only: one step of x changes the
/// root by the relative amount 1 / (2 limit^2) >= 2^-21. The error of rsqrtf (2 units in the last place, CUDA C++
/// Programming Guide) and of rounding `inverse` is at most 2^-21.6. The addition turns -0.0 into 0.0, because the
/// reciprocal root of -0.0 is -infinity.
template <root_form Form, class Real>
__device__ __forceinline__ bool is_below(Real x, Real limit, Real inverse) {
  if constexpr (Form == root_form::exact)
    return sqrt(x) < limit;
  else
    return rsqrt(x + Real(0)) > inverse;
}

/// z[i] = the first of x[i], x[i] + 1, x[i] + 2, ... whose square root is not below `limit`, for i < count. Grid: one
/// block per block_size * coarsening elements.
template <class T, sqrt_loop_params P>
__global__ void __launch_bounds__(P.block_size)
    sqrt_loop(const T* __restrict__ x, T* __restrict__ z, int limit, long long count) {
  using real = typename detail::root_type<T>::type;
  const real lowest = static_cast<real>(limit);
  const real inverse = real(1) / lowest;
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
  T held[P.coarsening];
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size;
    held[i] = at < count ? x[at] : T(-1);
  }
  bool counts = true;
  while (counts) {
#pragma unroll
    for (int step = 0; step < P.unroll; ++step) {
      counts = false;
#pragma unroll
      for (int i = 0; i < P.coarsening; ++i)
        if (is_below<P.root_form, real>(static_cast<real>(held[i]), lowest, inverse)) {
          held[i] += T(1);
          counts = true;
        }
    }
  }
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size;
    if (at < count) z[at] = held[i];
  }
}

}  // namespace warpwright::map
