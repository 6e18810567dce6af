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

/// Whether `count` places from `first` on are all places of 0..extent.
__device__ __forceinline__ bool lies_within(long long first, long long count, long long extent) {
  return first >= 0 && first + count <= extent;
}

/// The pixel at any place in or around a rows x columns image: 0 where there is none.
template <border Border, class T>
__device__ __forceinline__ T pixel_at(const T* image, long long row, long long column, long long rows,
                                      long long columns) {
  if constexpr (Border == border::clamp) return image[nearest(row, rows) * columns + nearest(column, columns)];
  return lies_within(row, 1, rows) && lies_within(column, 1, columns) ? image[row * columns + column] : T(0);
}

/// sum + weight * image[row][column] with one rounding, for any place in or around a rows x columns image.
template <border Border, class T>
__device__ __forceinline__ T add_tap(T sum, T weight, const T* image, long long row, long long column, long long rows,
                                     long long columns) {
  if (Border == border::zero && !(lies_within(row, 1, rows) && lies_within(column, 1, columns))) return sum;
  return fma(weight, pixel_at<Border>(image, row, column, rows, columns), sum);
}

}  // namespace warpwright::convolution
