// Products by warpgroups (wgmma) of 8-bit floats, with sums in float: what warpgroup.cuh has, for these types.
#pragma once

#include "kernels/runtime/warpgroup.cuh"

namespace warpwright {

namespace detail {

template <>
inline constexpr bool has_warpgroup_header<float8_e4m3, float8_e4m3, float> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e4m3, float8_e5m2, float> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e5m2, float8_e4m3, float> = true;
template <>
inline constexpr bool has_warpgroup_header<float8_e5m2, float8_e5m2, float> = true;

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e4m3, float8_e4m3, float, false, "f", "f32.e4m3.e4m3",
                      WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e4m3, float8_e5m2, float, false, "f", "f32.e4m3.e5m2",
                      WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e5m2, float8_e4m3, float, false, "f", "f32.e5m2.e4m3",
                      WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 32, float8_e5m2, float8_e5m2, float, false, "f", "f32.e5m2.e5m2",
                      WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
#endif

}  // namespace detail

}  // namespace warpwright
