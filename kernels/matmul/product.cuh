// Shared by all matrix products: how operands lie in memory, and how a sum is stored.
#pragma once

#include "kernels/matmul/extents.cuh"
#include "kernels/runtime/common/half.cuh"
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
template <>
struct sum_type<tfloat32, false> {
  using type = float;
};
template <>
struct sum_type<float8_e4m3, false> {
  using type = float;
};
template <>
struct sum_type<signed char, false> {
  using type = int;
};

}  // namespace detail

/// The type in which products are summed: int for 8-bit integers, float for 8- and 16-bit floats and TF32, whose
/// products are exact as floats unless they overflow or underflow, else the elements' type. C, alpha and beta have that
/// type too, as in cublasGemmEx with CUBLAS_COMPUTE_32I or CUBLAS_COMPUTE_32F.
template <class T>
using sum_of = typename detail::sum_type<T>::type;

/// The first element of a matrix of the block's product: number blockIdx.y, if matrices with so many elements follow
/// each other.
template <class T>
__device__ __forceinline__ T* of_product(T* first, long long elements) {
  return first + blockIdx.y * elements;
}
template <form B>
__host__ __device__ constexpr long long elements_of_b(const extents& e) {
  return (B == form::transposed ? e.n : e.k) * e.ldb;
}

/// C = alpha A B + beta C. For beta = 0, C is not read and may hold anything.
template <class Sum>
struct scale {
  Sum alpha, beta;
};

/// a * b + c with one rounding.
template <class Sum>
__device__ __forceinline__ Sum fused(Sum a, Sum b, Sum c) {
  return fma(a, b, c);
}
/// Integers keep their lower 32 bits.
__device__ __forceinline__ int fused(int a, int b, int c) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b) + static_cast<unsigned>(c));
}
template <class Sum>
__device__ __forceinline__ Sum times(Sum a, Sum b) {
  return a * b;
}
__device__ __forceinline__ int times(int a, int b) {
  return fused(a, b, 0);
}

/// *to = alpha * sum + beta * *to; ReadsC: beta is not 0.
template <bool ReadsC, class Sum>
__device__ __forceinline__ void put_knowing(Sum* to, Sum sum, scale<Sum> by) {
  *to = ReadsC ? fused(by.alpha, sum, times(by.beta, *to)) : times(by.alpha, sum);
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
