// matmul/register_tiled: a thread has a tile of sums in registers and uses each element that it reads from shared
// memory several times.
#pragma once

#include "kernels/matmul/held_tiles.cuh"

namespace warpwright::matmul {

struct register_tiled_params {
  int tile_m = 64;
  int tile_n = 64;
  int tile_k = 16;
  int thread_m = 4;
  int thread_n = 4;
  int bank_pad = 1;
  int min_blocks = 2;
  bool operator==(const register_tiled_params&) const = default;
};

/// The threads of a warp are neighbours along a row, as far as the tile is wide.
__host__ __device__ constexpr tiling tiling_of(const register_tiled_params& p) {
  const int threads_n = p.tile_n / p.thread_n;
  return {.m = p.tile_m,
          .n = p.tile_n,
          .k = p.tile_k,
          .thread_m = p.thread_m,
          .thread_n = p.thread_n,
          .lanes_n = threads_n < 32 ? threads_n : 32,
          .vector_width = 1,
          .bank_pad = p.bank_pad};
}

/// C = alpha A B + beta C. Grid: one block per tile of C.
template <class T, form B, register_tiled_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    register_tiled(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  __shared__ Sum tile_a[S.k * pitch_a(S)];
  __shared__ Sum tile_b[S.k * pitch_b(S)];
  const block_task<T, B, S, 1, 1> task(a, b, e, 1);
  held_share<T, copy_of_a<T, Sum, S, 1>> from_a(task.a);
  held_share<T, copy_of_b<T, Sum, B, S, 1>> from_b(task.b);
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
  store_sums(sums, task, c, e, by);
}

}  // namespace warpwright::matmul
