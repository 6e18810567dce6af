// Products by warpgroups (wgmma) of tfloat32: what warpgroup.cuh has, for these types.
#pragma once

#include "kernels/runtime/warpgroup.cuh"

namespace warpwright {

namespace detail {

template <>
inline constexpr bool has_warpgroup_header<tfloat32, tfloat32, float> = true;

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 8, tfloat32, tfloat32, float, false, "f", "f32.tf32.tf32",
                      WARPWRIGHT_FLAGS_OF_FLOATS, WARPWRIGHT_FLAGS_OF_FLOATS)
#endif

}  // namespace detail

}  // namespace warpwright
