// The plain matrix product in double that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

/// For all rows of C, including the memory after them: expected = alpha A B + beta C, magnitude = the same with
/// absolute values of all terms; after the end of a row expected = C, with magnitude 0. For alpha = 0, A and B are not
/// read; for beta = 0, C is not read. Any grid of one dimension.
template <class T, form B, class Sum = sum_of<T>>
__global__ void reference(const T* a, const T* b, const Sum* c, double* expected, double* magnitude, extents e,
                          scale<double> by) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < e.m * e.ldc; at += stride) {
    const long long row = at / e.ldc;
    const long long column = at % e.ldc;
    const double before = static_cast<double>(c[at]);
    expected[at] = before;
    magnitude[at] = 0;
    if (column >= e.n) continue;
    double sum = 0;
    double size = 0;
    for (long long k = 0; by.alpha != 0 && k < e.k; ++k) {
      const double left = static_cast<double>(static_cast<Sum>(a[row * e.lda + k]));
      const double right =
          static_cast<double>(static_cast<Sum>(b[B == form::transposed ? column * e.ldb + k : k * e.ldb + column]));
      sum = fma(left, right, sum);
      size = fma(fabs(left), fabs(right), size);
    }
    expected[at] = by.alpha * sum + (by.beta == 0 ? 0 : by.beta * before);
    magnitude[at] = fabs(by.alpha) * size + (by.beta == 0 ? 0 : fabs(by.beta * before));
  }
}

}  // namespace warpwright::matmul
