// Products by warpgroups (wgmma) with sums in half precision, of halves and of 8-bit floats: what warpgroup.cuh has,
// for these types.
#pragma once

#include "kernels/runtime/warpgroup.cuh"

namespace warpwright {

namespace detail {

template <>
inline constexpr bool has_warpgroup_header<float16, float16, float16> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e4m3, float8_e4m3, float16> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e4m3, float8_e5m2, float16> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e5m2, float8_e4m3, float16> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e5m2, float8_e5m2, float16> = true;

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
WARPWRIGHT_FOR_EACH_N_OF_HALVES(WARPWRIGHT_WARPGROUP_PRODUCT, 16, float16, float16, float16, false, "r", "f16.f16.f16",
                                WARPWRIGHT_FLAGS_OF_HALVES, WARPWRIGHT_FLAGS_OF_HALVES_IN_REGISTERS)
WARPWRIGHT_FOR_EACH_N_OF_HALVES(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e4m3, float8_e4m3, float16, false, "r",
                                "f16.e4m3.e4m3", WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N_OF_HALVES(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e4m3, float8_e5m2, float16, false, "r",
                                "f16.e4m3.e5m2", WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N_OF_HALVES(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e5m2, float8_e4m3, float16, false, "r",
                                "f16.e5m2.e4m3", WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N_OF_HALVES(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e5m2, float8_e5m2, float16, false, "r",
                                "f16.e5m2.e5m2", WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
#endif

}  // namespace detail

}  // namespace warpwright
