// The predicates of the compact pattern: which elements are kept. Where `keeps` is constexpr and drops a zero, kernels
// need not ask whether an element behind the end exists.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::compact {

/// x > 0: no zero, no NaN.
struct positive {
  template <class T>
  static constexpr __host__ __device__ bool keeps(T x) {
    return x > T(0);
  }
};

/// x != 0: NaN is kept, zeros of either sign are not.
struct non_zero {
  template <class T>
  static constexpr __host__ __device__ bool keeps(T x) {
    return x != T(0);
  }
};

}  // namespace warpwright::compact
