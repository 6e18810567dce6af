// The plain convolution in double that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/convolution/border.cuh"

namespace warpwright::convolution {

/// expected = the convolution, magnitude = the convolution of the absolute values. Any grid of one dimension.
template <class T, border Border>
__global__ void reference(const T* image, const T* filter, double* expected, double* magnitude, long long rows,
                          long long columns, int filter_size) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < rows * columns;
       at += stride) {
    double sum = 0;
    double size = 0;
    for (int tap = 0; tap < filter_size * filter_size; ++tap) {
      const long long row = at / columns + tap / filter_size - filter_size / 2;
      const long long column = at % columns + tap % filter_size - filter_size / 2;
      const bool is_inside = row >= 0 && row < rows && column >= 0 && column < columns;
      if (Border == border::zero && !is_inside) continue;
      const double weight = static_cast<double>(filter[tap]);
      const double pixel = static_cast<double>(image[nearest(row, rows) * columns + nearest(column, columns)]);
      sum = fma(weight, pixel, sum);
      size = fma(fabs(weight), fabs(pixel), size);
    }
    expected[at] = sum;
    magnitude[at] = size;
  }
}

}  // namespace warpwright::convolution
