// Products of matrices by a warpgroup in the simulator. For a GPU, kernels/runtime/warpgroup.cuh has the same
// functions.
#pragma once

#include "kernels/runtime/common/shared_matrices.cuh"
#include "kernels/runtime/cpu_model/matrix.cuh"

namespace warpwright {

namespace simulator {

template <class T>
constexpr void need_warpgroups() {
#ifdef WARPWRIGHT_HOST_TARGET
  static_assert(sizeof(T) == 0 || __CUDA_ARCH__ == 900,
                "products by warpgroups (wgmma) need sm_90, compiled as sm_90a");
#endif
}

__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void warpgroup_operation(WarpOperation operation, int count,
                                                                                    const void* site) {
  runtime->warp({operation, 0xffffffffu, count, 32}, 0, site);
}

/// `a` describes A, or is the lane's four registers of it.
template <int N, class A, class B, class Sum, bool Adds, bool Saturates = false, class OfA, class OfB>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void start_product(fragment_of_warpgroup_sums<N, Sum>& sums,
                                                                              const OfA& a, OfB b, const void* site) {
  using left = detail::matrix_element_of<A>;
  using right = detail::matrix_element_of<B>;
  using sum = detail::matrix_element_of<Sum>;
  detail::check_warpgroup_product<N, left, right, sum, OfB>();
  need_warpgroups<A>();
  WarpgroupProduct lane{.shape = {64, N, terms_of_warpgroup<A>, element_of<left>, element_of<right>, element_of<sum>,
                                  Spread::mma, Saturates},
                        .a = 0,
                        .b = b.bits,
                        .of_a = nullptr,
                        .sums = &sums,
                        .adds = Adds,
                        .b_is_transposed = detail::is_transposed_descriptor<OfB>};
  if constexpr (detail::same_type<OfA, matrix_descriptor>)
    lane.a = a.bits;
  else
    lane.of_a = &static_cast<const unsigned(&)[4]>(a);
  warp_operation(WarpOperation::start_product, &lane, site);
}

}  // namespace simulator

template <swizzle Mode>
WARPWRIGHT_UNSEEN matrix_descriptor describe_matrix(const void* first, int stride, int leading = 16) {
  const char* const window = simulator::watch.window_end - simulator::shared_window_bytes;
  return {
      detail::descriptor_of(static_cast<unsigned>(static_cast<const char*>(first) - window), leading, stride, Mode)};
}

template <swizzle Mode>
WARPWRIGHT_UNSEEN transposed_descriptor describe_transposed(const void* first, int stride, int leading) {
  return {describe_matrix<Mode>(first, stride, leading).bits};
}

template <class... Registers>
WARPWRIGHT_UNSEEN void products_fence(Registers&...) {
  simulator::need_warpgroups<int>();
  simulator::warpgroup_operation(simulator::WarpOperation::fence_products, 0, __builtin_return_address(0));
}

template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
WARPWRIGHT_UNSEEN void multiply_add_async(fragment_of_warpgroup_sums<N, Sum>& sums, matrix_descriptor a, OfB b) {
  simulator::start_product<N, A, B, Sum, true>(sums, a, b, __builtin_return_address(0));
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
WARPWRIGHT_UNSEEN void multiply_add_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                          const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  simulator::start_product<N, A, B, Sum, true>(sums, a, b, __builtin_return_address(0));
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
WARPWRIGHT_UNSEEN void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums, matrix_descriptor a, OfB b) {
  simulator::start_product<N, A, B, Sum, false>(sums, a, b, __builtin_return_address(0));
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
WARPWRIGHT_UNSEEN void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                      const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  simulator::start_product<N, A, B, Sum, false>(sums, a, b, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void products_commit() {
  simulator::warpgroup_operation(simulator::WarpOperation::commit_products, 0, __builtin_return_address(0));
}

template <int Pending, class... Registers>
WARPWRIGHT_UNSEEN void products_wait(Registers&...) {
  simulator::warpgroup_operation(simulator::WarpOperation::wait_for_products, Pending, __builtin_return_address(0));
}

template <int Count>
WARPWRIGHT_UNSEEN void give_registers_back() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256);
  simulator::warpgroup_operation(simulator::WarpOperation::give_registers, Count, __builtin_return_address(0));
}
template <int Count>
WARPWRIGHT_UNSEEN void take_registers() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256);
  simulator::warpgroup_operation(simulator::WarpOperation::take_registers, Count, __builtin_return_address(0));
}

}  // namespace warpwright
