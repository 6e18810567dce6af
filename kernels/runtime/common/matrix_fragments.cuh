// Products of small matrices by a warp: which shapes and types there are, and how many registers of a lane hold its
// parts (fragments) of the matrices.
#pragma once

#include "kernels/runtime/common/half.cuh"

// CUDA's halves, which may also be the types of elements.
#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
struct __half;
struct __nv_bfloat16;
#else
namespace warpwright::cuda {
struct __half;
struct __nv_bfloat16;
}  // namespace warpwright::cuda
#endif

namespace warpwright {

namespace detail {

template <class A, class B>
inline constexpr bool same_type = false;
template <class A>
inline constexpr bool same_type<A, A> = true;

/// The type by which an element is known here: float16 and bfloat16 also stand for CUDA's types.
template <class T>
struct matrix_element {
  using type = T;
};
#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
template <>
struct matrix_element<cuda::__half> {
  using type = float16;
};
template <>
struct matrix_element<cuda::__nv_bfloat16> {
  using type = bfloat16;
};
#else
template <>
struct matrix_element< ::__half> {
  using type = float16;
};
template <>
struct matrix_element< ::__nv_bfloat16> {
  using type = bfloat16;
};
#endif
template <class T>
using matrix_element_of = typename matrix_element<T>::type;

template <class T>
inline constexpr bool is_one_of_two_halves = same_type<T, float16> || same_type<T, bfloat16>;
template <class T>
inline constexpr bool is_matrix_byte = same_type<T, signed char> || same_type<T, unsigned char>;
template <class T>
inline constexpr bool is_float8 = same_type<T, float8_e4m3> || same_type<T, float8_e5m2>;

/// The default type of sums.
template <class T>
struct matrix_sum {
  using type = float;
};
template <>
struct matrix_sum<double> {
  using type = double;
};
template <>
struct matrix_sum<signed char> {
  using type = int;
};
template <>
struct matrix_sum<unsigned char> {
  using type = int;
};

/// The register for elements of a type, and for sums: several short elements share one, the first in the lowest bits.
template <class T>
struct matrix_register {
  using type = unsigned;
};
template <>
struct matrix_register<float> {
  using type = float;
};
template <>
struct matrix_register<double> {
  using type = double;
};
template <>
struct matrix_register<int> {
  using type = int;
};

/// Registers of a lane for that many elements of a warp.
template <class T>
__host__ __device__ constexpr int matrix_registers(int elements) {
  return elements / 32 * static_cast<int>(sizeof(T)) / (sizeof(T) == 8 ? 8 : 4);
}

}  // namespace detail

template <class T>
using sum_of_matrix = typename detail::matrix_sum<T>::type;

/// Elements that share a register.
template <class T>
inline constexpr int elements_a_register = sizeof(T) == 8 ? 1 : 4 / static_cast<int>(sizeof(T));

// The registers of a lane. With group = lane / 4, member = lane % 4 and p = elements_a_register:
// - element i of register r of A is in row group + 8 (r % 2) and column p member + i + 4 p (r / 2), for M = 16;
// - for M = 8, element i of register r of A is in row group and column p member + i + 4 p r;
// - element i of register r of B is in row p member + i + 4 p r and column group;
// - sum number s (two share a register if they are float16) is in row group + 8 (s / 2) and column 2 member + s % 2.
// Source: PTX ISA 8.7, 9.7.14.5, "Matrix fragments for mma".
template <int M, int K, class T>
using fragment_of_a = typename detail::matrix_register<T>::type[detail::matrix_registers<T>(M * K)];
template <int N, int K, class T>
using fragment_of_b = typename detail::matrix_register<T>::type[detail::matrix_registers<T>(N * K)];
template <int M, int N, class T>
using fragment_of_sums = typename detail::matrix_register<T>::type[detail::matrix_registers<T>(M * N)];

namespace detail {

template <int M, int N, int K, class A, class B, class Sum>
__host__ __device__ constexpr bool exists_as_product() {
  if constexpr (N != 8) {
    return false;
  } else if constexpr (is_one_of_two_halves<A>) {
    return same_type<A, B> && M == 16 && (K == 8 || K == 16) &&
           (same_type<Sum, float> || (same_type<A, float16> && same_type<Sum, float16>));
  } else if constexpr (same_type<A, tfloat32>) {
    return same_type<A, B> && M == 16 && (K == 4 || K == 8) && same_type<Sum, float>;
  } else if constexpr (same_type<A, double>) {
    return same_type<A, B> && same_type<Sum, double> &&
           ((M == 8 && K == 4) || (M == 16 && (K == 4 || K == 8 || K == 16)));
  } else if constexpr (is_float8<A>) {
    return is_float8<B> && M == 16 && (K == 16 || K == 32) && (same_type<Sum, float> || same_type<Sum, float16>);
  } else {
    return is_matrix_byte<A> && is_matrix_byte<B> && same_type<Sum, int> &&
           ((M == 8 && K == 16) || (M == 16 && (K == 16 || K == 32)));
  }
}

}  // namespace detail

/// Whether there is an mma.sync for this shape and these types (A row by row, B column by column).
template <int M, int N, int K, class A, class B, class Sum>
inline constexpr bool is_matrix_product = detail::exists_as_product<M, N, K, A, B, Sum>();

}  // namespace warpwright
