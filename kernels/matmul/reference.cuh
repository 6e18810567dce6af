// The plain matrix product in double that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

/// For all rows of C of all products, including the memory after them: expected = alpha A B + beta C, magnitude = the
/// same with absolute values of all terms; after the end of a row expected = C, with magnitude 0. For alpha = 0, A and
/// B are not read; for beta = 0, C is not read. Any grid of one dimension.
template <class T, form B, class Sum = sum_of<T>>
__global__ void reference(const T* a, const T* b, const Sum* c, double* expected, double* magnitude, extents e,
                          long long products, scale<double> by) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < products * e.m * e.ldc;
       at += stride) {
    const long long row = at / e.ldc;
    const long long column = at % e.ldc;
    const double before = static_cast<double>(c[at]);
    expected[at] = before;
    magnitude[at] = 0;
    if (column >= e.n) continue;
    const long long first_of_b = row / e.m * (B == form::transposed ? e.n : e.k);
    const auto element_of_b = [&](long long k) {
      return static_cast<Sum>(B == form::transposed ? b[(first_of_b + column) * e.ldb + k]
                                                    : b[(first_of_b + k) * e.ldb + column]);
    };
    if constexpr (Sum(0.5) == 0) {  // integers: all sums wrap
      Sum sum = 0;
      for (long long k = 0; by.alpha != 0 && k < e.k; ++k)
        sum = fused(static_cast<Sum>(a[row * e.lda + k]), element_of_b(k), sum);
      expected[at] = fused(static_cast<Sum>(by.alpha), sum, times(static_cast<Sum>(by.beta), c[at]));
      continue;
    }
    double sum = 0;
    double size = 0;
    for (long long k = 0; by.alpha != 0 && k < e.k; ++k) {
      const double left = static_cast<double>(static_cast<Sum>(a[row * e.lda + k]));
      const double right = static_cast<double>(element_of_b(k));
      sum = fma(left, right, sum);
      size = fma(fabs(left), fabs(right), size);
    }
    expected[at] = by.alpha * sum + (by.beta == 0 ? 0 : by.beta * before);
    magnitude[at] = fabs(by.alpha) * size + (by.beta == 0 ? 0 : fabs(by.beta * before));
  }
}

}  // namespace warpwright::matmul
