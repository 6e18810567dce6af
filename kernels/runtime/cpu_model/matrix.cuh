// Products of small matrices by a warp in the simulator. For a GPU, kernels/runtime/matrix.cuh has the same functions.
#pragma once

#include "kernels/runtime/common/matrix_fragments.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cpu_model/matrix_operands.cuh"

namespace warpwright {

namespace simulator {

template <class T>
inline constexpr MatrixElement element_of = MatrixElement::s32;
template <>
inline constexpr MatrixElement element_of<float16> = MatrixElement::f16;
template <>
inline constexpr MatrixElement element_of<bfloat16> = MatrixElement::bf16;
template <>
inline constexpr MatrixElement element_of<tfloat32> = MatrixElement::tf32;
template <>
inline constexpr MatrixElement element_of<float> = MatrixElement::f32;
template <>
inline constexpr MatrixElement element_of<double> = MatrixElement::f64;
template <>
inline constexpr MatrixElement element_of<signed char> = MatrixElement::s8;
template <>
inline constexpr MatrixElement element_of<unsigned char> = MatrixElement::u8;
template <>
inline constexpr MatrixElement element_of<float8_e4m3> = MatrixElement::e4m3;
template <>
inline constexpr MatrixElement element_of<float8_e5m2> = MatrixElement::e5m2;

__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void warp_operation(WarpOperation operation,
                                                                               const void* lane, const void* site) {
  runtime->warp({operation, 0xffffffffu, 0, 32}, reinterpret_cast<unsigned long long>(lane), site);
}

/// As in the header for a GPU.
template <int Architecture, class T>
constexpr void need_architecture() {
#ifdef WARPWRIGHT_HOST_TARGET
  static_assert(sizeof(T) == 0 || __CUDA_ARCH__ >= Architecture, "this product of matrices needs a newer architecture");
#endif
}

template <int Count>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void load_matrices(unsigned (&to)[Count], const void* row,
                                                                              bool is_transposed, const void* site) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "1, 2 or 4 matrices");
  MatrixRows lane{
      .place = const_cast<void*>(row), .count = Count, .is_transposed = is_transposed, .row = {}, .held = {}};
  warp_operation(WarpOperation::load_matrices, &lane, site);
  for (int i = 0; i < Count; ++i) to[i] = lane.held[i];
}

template <int Count>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void store_matrices(void* row, const unsigned (&from)[Count],
                                                                               bool is_transposed, const void* site) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "1, 2 or 4 matrices");
  need_architecture<900, unsigned[Count]>();
  MatrixRows lane{.place = row, .count = Count, .is_transposed = is_transposed, .row = {}, .held = {}};
  for (int i = 0; i < Count; ++i) lane.held[i] = from[i];
  warp_operation(WarpOperation::store_matrices, &lane, site);
}

template <int M, int N, int K, class A, class B, class Sum, bool Saturates>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void multiply_matrices(void* sums, const void* a,
                                                                                  const void* b, const void* site) {
  using left = detail::matrix_element_of<A>;
  using right = detail::matrix_element_of<B>;
  using sum = detail::matrix_element_of<Sum>;
  static_assert(is_matrix_product<M, N, K, left, right, sum> && (!Saturates || detail::same_type<sum, int>),
                "no mma.sync has this shape and these types");
  if constexpr (detail::is_float8<left>) need_architecture<890, A>();
  const MatrixProduct lane{
      .shape = {M, N, K, element_of<left>, element_of<right>, element_of<sum>, Spread::mma, Saturates},
      .a = a,
      .b = b,
      .sums = sums};
  warp_operation(WarpOperation::multiply_matrices, &lane, site);
}

}  // namespace simulator

template <int M, int N, int K, class A, class B = A, class Sum = sum_of_matrix<A>>
WARPWRIGHT_UNSEEN void multiply_add(fragment_of_sums<M, N, Sum>& sums, const fragment_of_a<M, K, A>& a,
                                    const fragment_of_b<N, K, B>& b) {
  simulator::multiply_matrices<M, N, K, A, B, Sum, false>(&sums, &a, &b, __builtin_return_address(0));
}

template <int M, int N, int K, class A, class B = A>
WARPWRIGHT_UNSEEN void multiply_add_saturated(fragment_of_sums<M, N, int>& sums, const fragment_of_a<M, K, A>& a,
                                              const fragment_of_b<N, K, B>& b) {
  simulator::multiply_matrices<M, N, K, A, B, int, true>(&sums, &a, &b, __builtin_return_address(0));
}

template <int Count>
WARPWRIGHT_UNSEEN void load_matrices(unsigned (&to)[Count], const void* row) {
  simulator::load_matrices(to, row, false, __builtin_return_address(0));
}

template <int Count>
WARPWRIGHT_UNSEEN void load_matrices_transposed(unsigned (&to)[Count], const void* row) {
  simulator::load_matrices(to, row, true, __builtin_return_address(0));
}

template <int Count>
WARPWRIGHT_UNSEEN void store_matrices(void* row, const unsigned (&from)[Count]) {
  simulator::store_matrices(row, from, false, __builtin_return_address(0));
}

template <int Count>
WARPWRIGHT_UNSEEN void store_matrices_transposed(void* row, const unsigned (&from)[Count]) {
  simulator::store_matrices(row, from, true, __builtin_return_address(0));
}

/// Rounds to nearest, ties away from zero; NaN becomes 0x7fffffff.
WARPWRIGHT_UNSEEN inline unsigned to_tfloat32(float value) {
  const auto bits = __builtin_bit_cast(unsigned, value);
  constexpr unsigned kInfinity = 0x7f800000, kDropped = 13;
  if ((bits & 0x7fffffff) > kInfinity) return 0x7fffffff;
  if ((bits & kInfinity) == kInfinity) return bits;
  return (bits + (1u << (kDropped - 1))) & ~((1u << kDropped) - 1);
}

}  // namespace warpwright
