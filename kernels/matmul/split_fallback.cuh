// The product of floats that cannot be split into bfloat16 numbers, for the kernels that split.
#pragma once

#include "kernels/matmul/split_planes.cuh"

namespace warpwright::matmul {

/// C = alpha A B + beta C from A and B themselves, if state->unfit: slow. Sums of `Terms` terms are added. Any grid of
/// one dimension.
template <class T, form B, int Terms>
__global__ void split_fallback(const T* __restrict__ a, const T* __restrict__ b, T* c, extents e, scale<T> by,
                               split_state* state) {
  wait_for_previous_launch();
  if (state->unfit == 0) return;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < e.m * e.n; at += stride) {
    const long long row = at / e.n, column = at % e.n;
    T sum = T(0);
    for (long long first = 0; first < e.k; first += Terms) {
      T few = T(0);
      for (long long k = first; k < min(first + Terms, e.k); ++k)
        few = fma(a[row * e.lda + k], b[B == form::transposed ? column * e.ldb + k : k * e.ldb + column], few);
      sum += few;
    }
    put(c + row * e.ldc + column, sum, by);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicInc(&state->ended, gridDim.x - 1) != gridDim.x - 1) return;
  __threadfence();
  state->unfit = 0;  // all blocks have read it
}

}  // namespace warpwright::matmul
