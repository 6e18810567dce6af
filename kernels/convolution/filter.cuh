// The filter of a convolution in constant memory.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::convolution {

/// The filter, row by row; a plan step uploads it before the launch.
template <class T, int Count>
__constant__ T filter_values[Count];

/// Bytes of constant memory of a program.
inline constexpr int constant_bytes = 65536;

}  // namespace warpwright::convolution
