// matmul/tiled: a block keeps a tile of A and one of B in shared memory; a thread has one element of C.
#pragma once

#include "kernels/block/tile_place.cuh"
#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

struct tiled_params {
  int tile_m = 16;
  int tile_n = 32;
  int tile_k = 32;   ///< terms in shared memory at a time
  int bank_pad = 1;  ///< elements added after each row of a tile
  int unroll = 8;
  bool operator==(const tiled_params&) const = default;
};

/// C = alpha A B + beta C. Grid: one block of tile_m * tile_n threads per tile of C, numbered row by row; products in
/// y.
template <class T, form B, tiled_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(P.tile_m* P.tile_n)
    tiled(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr int kThreads = P.tile_m * P.tile_n;
  __shared__ Sum tile_a[P.tile_m][P.tile_k + P.bank_pad];
  __shared__ Sum tile_b[P.tile_k][P.tile_n + P.bank_pad];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = thread / P.tile_n;
  const int j = thread % P.tile_n;
  const block::tile_place tile = block::place_of_block((e.n + P.tile_n - 1) / P.tile_n);
  const long long top = tile.row * P.tile_m;
  const long long left = tile.column * P.tile_n;
  const T* const of_a = of_product(a, e.m * e.lda);
  const T* const of_b = of_product(b, elements_of_b<B>(e));
  Sum sum = Sum(0);
  for (long long first = 0; first < e.k; first += P.tile_k) {
    for (int at = thread; at < P.tile_m * P.tile_k; at += kThreads) {
      const long long row = top + at / P.tile_k;
      const long long term = first + at % P.tile_k;
      tile_a[at / P.tile_k][at % P.tile_k] =
          row < e.m && term < e.k ? static_cast<Sum>(of_a[row * e.lda + term]) : Sum(0);
    }
    for (int at = thread; at < P.tile_n * P.tile_k; at += kThreads) {
      // Neighbouring threads read neighbours in memory.
      const int down = B == form::transposed ? at % P.tile_k : at / P.tile_n;
      const int right = B == form::transposed ? at / P.tile_k : at % P.tile_n;
      const long long term = first + down;
      const long long column = left + right;
      const long long place = B == form::transposed ? column * e.ldb + term : term * e.ldb + column;
      tile_b[down][right] = column < e.n && term < e.k ? static_cast<Sum>(of_b[place]) : Sum(0);
    }
    __syncthreads();
#pragma unroll P.unroll
    for (int term = 0; term < P.tile_k; ++term) sum = fused(tile_a[i][term], tile_b[term][j], sum);
    __syncthreads();
  }
  if (top + i < e.m && left + j < e.n) put(of_product(c, e.m * e.ldc) + (top + i) * e.ldc + left + j, sum, by);
}

}  // namespace warpwright::matmul
