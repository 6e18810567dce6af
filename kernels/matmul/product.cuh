// Shared by all matrix products: how operands lie in memory, and how a sum is stored.
#pragma once

#include "kernels/matmul/extents.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::matmul {

/// How B is stored, row by row.
enum class form {
  plain,      ///< as K x N
  transposed  ///< as N x K
};

namespace detail {

template <class T, bool IsHalf = sizeof(T) == 2>
struct sum_type {
  using type = T;
};
template <class T>
struct sum_type<T, true> {
  using type = float;
};

}  // namespace detail

/// The type in which products are summed: the elements' type, or float for 16-bit elements, whose products are exact as
/// floats. C, alpha and beta have that type too, as in cublasGemmEx with CUBLAS_COMPUTE_32F and a C of CUDA_R_32F.
template <class T>
using sum_of = typename detail::sum_type<T>::type;

/// C = alpha A B + beta C. For beta = 0, C is not read and may hold anything.
template <class Sum>
struct scale {
  Sum alpha, beta;
};

/// *to = alpha * sum + beta * *to; ReadsC: beta is not 0.
template <bool ReadsC, class Sum>
__device__ __forceinline__ void put_knowing(Sum* to, Sum sum, scale<Sum> by) {
  *to = ReadsC ? fma(by.alpha, sum, by.beta * *to) : by.alpha * sum;
}

/// *to = alpha * sum + beta * *to
template <class Sum>
__device__ __forceinline__ void put(Sum* to, Sum sum, scale<Sum> by) {
  if (by.beta != Sum(0))
    put_knowing<true>(to, sum, by);
  else
    put_knowing<false>(to, sum, by);
}

}  // namespace warpwright::matmul
