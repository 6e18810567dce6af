// matmul/double_buffered: while a block multiplies one pair of tiles, it loads the next pair through registers into a
// second buffer.
#pragma once

#include "kernels/matmul/held_tiles.cuh"
#include "kernels/matmul/split_sums.cuh"

namespace warpwright::matmul {

struct double_buffered_params {
  int tile_m = 128;
  int tile_n = 128;
  int tile_k = 8;
  int thread_m = 8;
  int thread_n = 8;
  int bank_pad = 4;
  int min_blocks = 2;
  int vector_width = 4;  ///< neighbours that a thread multiplies together
  int copy_width = 4;    ///< elements per access to the operands, if aligned
  int lanes_n = 8;       ///< threads of a warp along a row of C
  int group_m = 8;       ///< rows of tiles shared by blocks that run at the same time
  int splits = 1;        ///< parts into which sums are split, for few tiles and many terms
  bool operator==(const double_buffered_params&) const = default;
};

/// C = alpha A B + beta C, or the parts of block_task. Grid: one block per tile of C, and in z one per part.
template <class T, form B, double_buffered_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    double_buffered(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  __shared__ __align__(16) Sum tiles_a[2][S.k * pitch_a(S)];
  __shared__ __align__(16) Sum tiles_b[2][S.k * pitch_b(S)];
  const block_task<T, B, S, P.copy_width, P.copy_width> task(a, b, e, P.group_m);
  held_share<T, copy_of_a<T, Sum, S, P.copy_width>> from_a(task.a);
  held_share<T, copy_of_b<T, Sum, B, S, P.copy_width>> from_b(task.b);
  const auto store = [&](int step) {
    from_a.store(tiles_a[step % 2]);
    from_b.store(tiles_b[step % 2]);
    __syncthreads();
  };
  const thread_place<S> mine;
  thread_sums<Sum, S> sums;
  if (task.steps > 0) {
    from_a.load(task.a, 0, task.terms_of(0));
    from_b.load(task.b, 0, task.terms_of(0));
    store(0);
  }
  // Without branches, so that loads and arithmetic overlap.
  int step = 0;
  if (const int whole = task.whole_steps(); whole > 1) {
    thread_terms<Sum, B, S> held[2];
    held[0].read(tiles_a[0], tiles_b[0], mine, 0);
#pragma unroll 1
    for (; step + 1 < whole; ++step) {
      from_a.load_whole(task.a);
      from_b.load_whole(task.b);
      add_tile(sums, held, tiles_a[step % 2], tiles_b[step % 2], mine, [&](thread_terms<Sum, B, S>& next) {
        store(step + 1);
        next.read(tiles_a[(step + 1) % 2], tiles_b[(step + 1) % 2], mine, 0);
      });
    }
  }
#pragma unroll 1
  for (; step < task.steps; ++step) {
    const int next = step + 1;
    if (next < task.steps) {
      from_a.load(task.a, next, task.terms_of(next));
      from_b.load(task.b, next, task.terms_of(next));
    }
    add_tile_briefly<B>(sums, tiles_a[step % 2], tiles_b[step % 2], mine);
    if (next < task.steps) store(next);
  }
  store_sums(sums, task, c, e, by);
}

}  // namespace warpwright::matmul
