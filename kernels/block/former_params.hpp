// Why several kernels lack a param that they had.
#pragma once

namespace warpwright {

/// Of a param that chose loads through the read-only cache.
inline constexpr const char* kAlwaysReadOnly = "loads of const __restrict__ data go through the read-only cache anyway";

}  // namespace warpwright
