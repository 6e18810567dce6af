// Products by warpgroups (wgmma) of 8-bit integers: what warpgroup.cuh has, for these types.
#pragma once

#include "kernels/runtime/warpgroup.cuh"

namespace warpwright {

namespace detail {

template <>
inline constexpr bool has_warpgroup_header<signed char, signed char, int> = true;
template <>
inline constexpr bool has_warpgroup_header<signed char, unsigned char, int> = true;
template <>
inline constexpr bool has_warpgroup_header<unsigned char, signed char, int> = true;
template <>
inline constexpr bool has_warpgroup_header<unsigned char, unsigned char, int> = true;

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, signed char, signed char, int, false, "r", "s32.s8.s8",
                             WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, signed char, signed char, int, true, "r",
                             "s32.s8.s8.satfinite", WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, signed char, unsigned char, int, false, "r", "s32.s8.u8",
                             WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, signed char, unsigned char, int, true, "r",
                             "s32.s8.u8.satfinite", WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, unsigned char, signed char, int, false, "r", "s32.u8.s8",
                             WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, unsigned char, signed char, int, true, "r",
                             "s32.u8.s8.satfinite", WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, unsigned char, unsigned char, int, false, "r",
                             "s32.u8.u8", WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
WARPWRIGHT_FOR_EACH_COMMON_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, unsigned char, unsigned char, int, true, "r",
                             "s32.u8.u8.satfinite", WARPWRIGHT_FLAGS_OF_BYTES, WARPWRIGHT_FLAGS_OF_BYTES)
#endif

}  // namespace detail

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)

/// As multiply_add_async and multiply_async, but a sum that does not fit 32 bits becomes the largest or smallest one.
template <int N, class A, class B = A, class OfA, class OfB>
__device__ __forceinline__ void multiply_add_saturated_async(fragment_of_warpgroup_sums<N, int>& sums, const OfA& a,
                                                             OfB b) {
  detail::start_product<N, A, B, int, true, true>(sums, a, b);
}
template <int N, class A, class B = A, class OfA, class OfB>
__device__ __forceinline__ void multiply_saturated_async(fragment_of_warpgroup_sums<N, int>& sums, const OfA& a,
                                                         OfB b) {
  detail::start_product<N, A, B, int, false, true>(sums, a, b);
}

#else

template <int N, class A, class B = A, class OfA, class OfB>
WARPWRIGHT_UNSEEN void multiply_add_saturated_async(fragment_of_warpgroup_sums<N, int>& sums, const OfA& a, OfB b) {
  simulator::start_product<N, A, B, int, true, true>(sums, a, b, __builtin_return_address(0));
}
template <int N, class A, class B = A, class OfA, class OfB>
WARPWRIGHT_UNSEEN void multiply_saturated_async(fragment_of_warpgroup_sums<N, int>& sums, const OfA& a, OfB b) {
  simulator::start_product<N, A, B, int, false, true>(sums, a, b, __builtin_return_address(0));
}

#endif

}  // namespace warpwright
