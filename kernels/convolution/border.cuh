// The pixels that a convolution assumes outside its image.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::convolution {

enum class border {
  zero,  ///< no pixels: taps of the filter outside the image are left out, whatever their value
  clamp  ///< the nearest pixel of the image
};

/// `at` moved to the nearest index in [0, extent).
__device__ __forceinline__ long long nearest(long long at, long long extent) {
  return max(0LL, min(at, extent - 1));
}

/// Whether the `count` indices from `first` on all lie in [0, extent).
__device__ __forceinline__ bool lies_within(long long first, long long count, long long extent) {
  return first >= 0 && first + count <= extent;
}

/// The pixel at any position in or around a rows x columns image; 0 where there is none.
template <border Border, class T>
__device__ __forceinline__ T pixel_at(const T* image, long long row, long long column, long long rows,
                                      long long columns) {
  if constexpr (Border == border::clamp) return image[nearest(row, rows) * columns + nearest(column, columns)];
  return lies_within(row, 1, rows) && lies_within(column, 1, columns) ? image[row * columns + column] : T(0);
}

/// sum + weight * image[row][column] with one rounding, for any position in or around a rows x columns image.
template <border Border, class T>
__device__ __forceinline__ T add_tap(T sum, T weight, const T* image, long long row, long long column, long long rows,
                                     long long columns) {
  if (Border == border::zero && !(lies_within(row, 1, rows) && lies_within(column, 1, columns))) return sum;
  return fma(weight, pixel_at<Border>(image, row, column, rows, columns), sum);
}

}  // namespace warpwright::convolution
