// Adds the parts of split sums. Splitting keeps a whole device busy if C is small and sums are long.
#pragma once

#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

/// C = alpha * (the sum over part of parts[part][row][column], in this order) + beta C. One thread per element of C, in
/// one-dimensional blocks.
template <class Sum>
__global__ void add_parts(const Sum* __restrict__ parts, Sum* c, extents e, scale<Sum> by, int splits) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= e.m * e.n) return;
  Sum sum = Sum(0);
  for (int part = 0; part < splits; ++part) sum = fused(Sum(1), parts[part * e.m * e.n + at], sum);
  put(c + at / e.n * e.ldc + at % e.n, sum, by);
}

}  // namespace warpwright::matmul
