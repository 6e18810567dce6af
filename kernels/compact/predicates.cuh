// The predicates of the compact pattern: which elements are kept. If `keeps` is constexpr and drops zeros, kernels can
// treat elements past the end as zeros.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::compact {

/// Keeps x > 0; drops zeros and NaN.
struct positive {
  template <class T>
  static constexpr __host__ __device__ bool keeps(T x) {
    return x > T(0);
  }
};

/// Keeps x != 0, NaN too; drops zeros of either sign.
struct non_zero {
  template <class T>
  static constexpr __host__ __device__ bool keeps(T x) {
    return x != T(0);
  }
};

}  // namespace warpwright::compact
