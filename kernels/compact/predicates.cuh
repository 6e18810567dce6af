// The predicates of the compact pattern: which elements are kept.
#pragma once

#include "kernels/runtime/host_device.cuh"

namespace warpwright::compact {

/// x > 0: no zero, no NaN.
struct positive {
  template <class T>
  static __host__ __device__ bool keeps(T x) {
    return x > T(0);
  }
};

/// x != 0: NaN is kept, zeros of either sign are not.
struct non_zero {
  template <class T>
  static __host__ __device__ bool keeps(T x) {
    return x != T(0);
  }
};

}  // namespace warpwright::compact
