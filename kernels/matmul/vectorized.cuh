// matmul/vectorized: register tiles, with vectors of neighbouring elements between global memory, shared memory and
// registers.
#pragma once

#include "kernels/matmul/held_tiles.cuh"
#include "kernels/matmul/vector_sums.cuh"

namespace warpwright::matmul {

struct vectorized_params {
  int tile_m = 64;
  int tile_n = 64;
  int tile_k = 16;
  int thread_m = 8;
  int thread_n = 4;
  int bank_pad = 4;
  int min_blocks = 2;
  int vector_width = 2;  ///< elements per access, if aligned, and neighbours that a thread multiplies together
  int lanes_n = 8;       ///< threads of a warp along a row of C
  bool vector_store = false;
  bool operator==(const vectorized_params&) const = default;
};

/// C = alpha A B + beta C. Grid: one block per tile of C.
template <class T, form B, vectorized_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    vectorized(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  __shared__ __align__(16) Sum tile_a[S.k * pitch_a(S)];
  __shared__ __align__(16) Sum tile_b[S.k * pitch_b(S)];
  const block_task<T, B, S, P.vector_width, P.vector_width> task(a, b, e, 1);
  held_share<T, copy_of_a<T, Sum, S, P.vector_width>> from_a(task.a);
  held_share<T, copy_of_b<T, Sum, B, S, P.vector_width>> from_b(task.b);
  thread_sums<Sum, S> sums;
  for (int step = 0; step < task.steps; ++step) {
    from_a.load(task.a, step, task.terms_of(step));
    from_b.load(task.b, step, task.terms_of(step));
    from_a.store(tile_a);
    from_b.store(tile_b);
    __syncthreads();
    add_tile<B>(sums, tile_a, tile_b);
    __syncthreads();
  }
  store_sums_by<P.vector_store>(sums, task, c, e, by);
}

}  // namespace warpwright::matmul
