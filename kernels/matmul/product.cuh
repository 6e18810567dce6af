// What all matrix products share: how their operands lie in memory, and what becomes of a sum.
#pragma once

#include "kernels/matmul/extents.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::matmul {

/// How B lies in memory, row by row.
enum class form {
  plain,      ///< as K x N
  transposed  ///< as N x K
};

/// C = alpha A B + beta C. For beta = 0 C is not read: it may hold anything.
template <class T>
struct scale {
  T alpha, beta;
};

/// *to = alpha * sum + beta * *to; ReadsC: beta is not 0.
template <bool ReadsC, class T>
__device__ __forceinline__ void put_knowing(T* to, T sum, scale<T> by) {
  *to = ReadsC ? fma(by.alpha, sum, by.beta * *to) : by.alpha * sum;
}

/// *to = alpha * sum + beta * *to
template <class T>
__device__ __forceinline__ void put(T* to, T sum, scale<T> by) {
  if (by.beta != T(0))
    put_knowing<true>(to, sum, by);
  else
    put_knowing<false>(to, sum, by);
}

}  // namespace warpwright::matmul
