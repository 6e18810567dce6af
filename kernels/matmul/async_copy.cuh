// matmul/async_copy: asynchronous copies bring the next pairs of tiles into shared memory while a block multiplies one.
// They need no registers. From sm_80.
#pragma once

#include "kernels/matmul/split_sums.cuh"
#include "kernels/matmul/tile_copies.cuh"
#include "kernels/matmul/vector_sums.cuh"

namespace warpwright::matmul {

struct async_copy_params {
  int tile_m = 128;
  int tile_n = 128;
  int tile_k = 16;
  int thread_m = 8;
  int thread_n = 8;
  int bank_pad = 4;
  int min_blocks = 2;
  int vector_width = 4;  ///< neighbours that a thread multiplies together
  int copy_width = 4;    ///< elements of a copy of B, where they are aligned; of A 4 bytes go together
  int lanes_n = 8;       ///< threads of a warp along a row of C
  int stages = 3;        ///< pairs of tiles in shared memory
  int group_m = 8;       ///< rows of tiles shared by blocks that run at the same time
  int splits = 1;        ///< parts into which sums are split, for few tiles and many terms
  bool vector_store = false;
  bool operator==(const async_copy_params&) const = default;
};

/// C = alpha A B + beta C, or the parts of block_task. Grid: one block per tile of C, and in z one per part; dynamic
/// shared memory for `stages` pairs of tiles.
template <class T, form B, async_copy_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    async_copy(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  constexpr int kTileOfA = S.k * pitch_a(S);
  constexpr int kWidthOfA = terms_together<T>;
  constexpr int kWidthOfB = B == form::plain ? P.copy_width : kWidthOfA;
  extern __shared__ __align__(16) unsigned char staging[];
  T* const stages = reinterpret_cast<T*>(staging);
  const block_task<T, B, S, kWidthOfA, kWidthOfB> task(a, b, e, P.group_m);
  copy_of_a<T, T, S, kWidthOfA> from_a(task.a);
  copy_of_b<T, T, B, S, kWidthOfB> from_b(task.b);
  int filled = 0;  // the stage of the next copy
  const auto commit = [&] {
    filled = filled == P.stages - 1 ? 0 : filled + 1;
    async_commit();
  };
  // One group of copies per step, even without copies.
  const auto start = [&](int step) {
    if (step < task.steps) {
      T* const tiles = stages + filled * tile_elements(S);
      start_copy(tiles, from_a, task.a, step, task.terms_of(step));
      start_copy(tiles + kTileOfA, from_b, task.b, step, task.terms_of(step));
    }
    commit();
  };
#pragma unroll 1
  for (int step = 0; step < P.stages - 1; ++step) start(step);
  const T* tiles = stages;
  int used = 0;  // the stage of the current tiles
  // Waits until the tiles of the next step have arrived and nobody reads the previous ones any more.
  const auto go_on = [&] {
    async_wait<P.stages - 2>();
    __syncthreads();
    used = used == P.stages - 1 ? 0 : used + 1;
    tiles = stages + used * tile_elements(S);
  };
  async_wait<P.stages - 2>();
  __syncthreads();
  const thread_place<S> mine;
  thread_sums<Sum, S> sums;
  // Without branches, so that copies and arithmetic overlap.
  int step = 0;
  if (const int whole = task.whole_steps() - (P.stages - 1); whole > 0) {
    thread_terms<T, B, S> held[2];
    held[0].read(tiles, tiles + kTileOfA, mine, 0);
#pragma unroll 1
    for (; step < whole; ++step) {
      T* const to = stages + filled * tile_elements(S);
      start_whole_copy(to, from_a, task.a);
      start_whole_copy(to + kTileOfA, from_b, task.b);
      commit();
      add_tile(sums, held, tiles, tiles + kTileOfA, mine, [&](thread_terms<T, B, S>& next) {
        go_on();
        next.read(tiles, tiles + kTileOfA, mine, 0);
      });
    }
  }
#pragma unroll 1
  for (; step < task.steps; ++step) {
    start(step + P.stages - 1);
    add_tile_briefly<B>(sums, tiles, tiles + kTileOfA, mine);
    go_on();
  }
  store_sums_by<P.vector_store>(sums, task, c, e, by);
}

}  // namespace warpwright::matmul
