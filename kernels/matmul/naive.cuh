// matmul/naive: one thread per element of C, all operands from global memory.
#pragma once

#include "kernels/block/tile_place.cuh"
#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

struct naive_params {
  int block_x = 32;  ///< columns per block
  int block_y = 8;   ///< rows per block
  int unroll = 4;
  bool operator==(const naive_params&) const = default;
};

/// C = alpha A B + beta C. Grid: one block per block_y x block_x elements of C, numbered row by row; products in
/// y.
template <class T, form B, naive_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    naive(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  const block::tile_place tile = block::place_of_block((e.n + P.block_x - 1) / P.block_x);
  const long long row = tile.row * P.block_y + threadIdx.y;
  const long long column = tile.column * P.block_x + threadIdx.x;
  if (row >= e.m || column >= e.n) return;
  const T* of_a = of_product(a, e.m * e.lda) + row * e.lda;
  const T* of_b = of_product(b, elements_of_b<B>(e)) + (B == form::transposed ? column * e.ldb : column);
  const long long step = B == form::transposed ? 1 : e.ldb;
  Sum sum = Sum(0);
#pragma unroll P.unroll
  for (long long k = 0; k < e.k; ++k) {
    sum = fused(static_cast<Sum>(of_a[k]), static_cast<Sum>(of_b[k * step]), sum);
  }
  put(of_product(c, e.m * e.ldc) + row * e.ldc + column, sum, by);
}

}  // namespace warpwright::matmul
