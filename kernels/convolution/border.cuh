// What a convolution takes for the pixels around its image.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::convolution {

enum class border {
  zero,  ///< there are none: taps of the filter outside the image are left out, whatever the filter holds there
  clamp  ///< each is the nearest pixel of the image
};

/// `at` moved to the nearest index of 0..extent.
__device__ __forceinline__ long long nearest(long long at, long long extent) {
  return max(0LL, min(at, extent - 1));
}

/// sum + weight * image[row][column] with one rounding, for any place in or around a rows x columns image.
template <border Border, class T>
__device__ __forceinline__ T add_tap(T sum, T weight, const T* image, long long row, long long column, long long rows,
                                     long long columns) {
  if constexpr (Border == border::clamp)
    return fma(weight, image[nearest(row, rows) * columns + nearest(column, columns)], sum);
  if (row < 0 || row >= rows || column < 0 || column >= columns) return sum;
  return fma(weight, image[row * columns + column], sum);
}

}  // namespace warpwright::convolution
