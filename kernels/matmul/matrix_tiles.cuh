// How a block multiplies on matrix units: asynchronous copies fill a ring of tiles in shared memory, and each warp
// multiplies its part of the current one. Shared by the kernels on matrix units. From sm_80.
#pragma once

#include "kernels/matmul/tile_copies.cuh"
#include "kernels/runtime/matrix.cuh"

namespace warpwright::matmul {

/// For params with warp_m and warp_n, the rows and columns of a warp's part of a tile. A lane has as many sums as a
/// thread with this part of the tile.
template <class P>
requires requires(P p) {
  p.warp_m;
}
__host__ __device__ constexpr tiling tiling_of(const P& p) {
  return {.m = p.tile_m,
          .n = p.tile_n,
          .k = p.tile_k,
          .thread_m = p.warp_m / 8,
          .thread_n = p.warp_n / 4,
          .lanes_n = 4,
          .vector_width = 1,
          .bank_pad = p.bank_pad};
}

/// Where the elements of a tile lie in shared memory: row by row as in global memory, with bank_pad elements behind
/// each row.
template <form B, tiling S>
struct stage_layout {
  static constexpr int pitch_a = S.k + S.bank_pad;
  static constexpr int pitch_b = (B == form::plain ? S.n : S.k) + S.bank_pad;
  static constexpr int elements_a = S.m * pitch_a;
  static constexpr int elements = elements_a + (B == form::plain ? S.k : S.n) * pitch_b;

  template <class T, int Width>
  using copy_of_a = copy_share<T, along::terms, S.m, S.k, 0, pitch_a, Width, threads_of(S)>;
  template <class T, int Width>
  using copy_of_b = copy_share<T, rows_of_b(B), S.n, S.k, B == form::plain ? pitch_b : 0,
                               B == form::plain ? 1 : pitch_b, Width, threads_of(S)>;
};

/// Stages of Elements elements in shared memory, which copies fill and threads use in turn.
template <int Stages, int Elements, class T>
struct stage_ring {
  T* stages;
  int filled = 0, used = 0;  ///< of the next copies, and of the current step

  /// Starts the copies of a step by start(stage): one group of copies, even without any.
  template <class Start>
  __device__ __forceinline__ void fill(Start start) {
    start(stages + filled * Elements);
    filled = filled == Stages - 1 ? 0 : filled + 1;
    async_commit();
  }
  /// Waits until the copies of the current step have arrived, and nobody reads the stage that the next copies replace.
  __device__ __forceinline__ void wait() const {
    async_wait<Stages - 2>();
    __syncthreads();
  }
  template <class Multiply>
  __device__ __forceinline__ void use(Multiply multiply) {
    multiply(stages + used * Elements);
    used = used == Stages - 1 ? 0 : used + 1;
  }
};

/// Calls multiply(stage) for each step, while copies of the next Stages - 1 steps are under way. `stages` is shared
/// memory for Stages times Elements elements. start(stage, step) starts the copies of a step; start_whole(stage) those
/// of the first `whole_steps` steps, without branches, so that copies and arithmetic overlap.
template <int Stages, int Elements, class T, class StartWhole, class Start, class Multiply>
__device__ __forceinline__ void for_each_stage(int steps, int whole_steps, T* stages, StartWhole start_whole,
                                               Start start, Multiply multiply) {
  stage_ring<Stages, Elements, T> ring{stages};
#pragma unroll 1
  for (int step = 0; step < Stages - 1; ++step)
    ring.fill([&](T* to) {
      if (step < steps) start(to, step);
    });
  int step = 0;
#pragma unroll 1
  for (; step + Stages - 1 < whole_steps; ++step) {
    ring.wait();
    ring.fill(start_whole);
    ring.use(multiply);
  }
#pragma unroll 1
  for (; step < steps; ++step) {
    ring.wait();
    ring.fill([&](T* to) {
      if (step + Stages - 1 < steps) start(to, step + Stages - 1);
    });
    ring.use(multiply);
  }
}

/// Calls multiply(tile of A, tile of B) for each step of the task.
template <int Stages, int Width, form B, tiling S, class T, class Task, class Multiply>
__device__ __forceinline__ void for_each_step(const Task& task, T* stages, Multiply multiply) {
  using layout = stage_layout<B, S>;
  typename layout::template copy_of_a<T, Width> from_a(task.a);
  typename layout::template copy_of_b<T, Width> from_b(task.b);
  for_each_stage<Stages, layout::elements>(
      task.steps, task.whole_steps(), stages,
      [&](T* to) {
        start_whole_copy(to, from_a, task.a);
        start_whole_copy(to + layout::elements_a, from_b, task.b);
      },
      [&](T* to, int step) {
        start_copy(to, from_a, task.a, step, task.terms_of(step));
        start_copy(to + layout::elements_a, from_b, task.b, step, task.terms_of(step));
      },
      [&](const T* tiles) { multiply(tiles, tiles + layout::elements_a); });
}

/// Where the calling warp's part of a tile begins.
template <tiling S>
struct warp_place {
  static constexpr int warp_m = S.thread_m * 8, warp_n = S.thread_n * 4;
  static constexpr int warps_n = S.n / warp_n;

  int row = static_cast<int>(threadIdx.x) / 32 / warps_n * warp_m;
  int column = static_cast<int>(threadIdx.x) / 32 % warps_n * warp_n;
};

/// The sums of a warp: products of M x 8 side by side. The sums of a lane lie as mma.sync defines it.
template <class Sum, tiling S, int M>
struct warp_sums {
  static constexpr int across_m = S.thread_m * 8 / M, across_n = S.thread_n * 4 / 8;

  fragment_of_sums<M, 8, Sum> of[across_m][across_n] = {};

  /// Writes those that lie in C and belong to the block. ReadsC: beta is not 0. IsWhole: all of them do. Width: of two
  /// neighbours, so many are stored together.
  template <bool ReadsC, bool IsWhole, int Width, class Task>
  __device__ __forceinline__ void write(const Task& task, Sum* c, const extents& e, scale<Sum> by) const {
    const warp_place<S> mine;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    Sum* const tile = tile_of_c(task, c, e);
#pragma unroll
    for (int i = 0; i < across_m; ++i)
#pragma unroll
      for (int half = 0; half < M / 8; ++half) {
        const int row = mine.row + i * M + half * 8 + lane / 4;
        const bool is_mine = row >= task.rows_before(e) && row < task.a.places;
#pragma unroll
        for (int j = 0; j < across_n; ++j) {
          const Sum(&pair)[2] = reinterpret_cast<const Sum(&)[2]>(of[i][j][half * 2]);
          const int column = mine.column + j * 8 + lane % 4 * 2;
          Sum* const to = tile + row * e.ldc + column;
          if constexpr (Width == 2) {
            store_vector(to, vec<Sum, 2>{by.alpha * pair[0], by.alpha * pair[1]});
          } else {
#pragma unroll
            for (int k = 0; k < 2; ++k)
              if (IsWhole || (is_mine && column + k >= task.columns_before(e) && column + k < task.b.places))
                put_knowing<ReadsC>(to + k, pair[k], by);
          }
        }
      }
  }

  template <class Task>
  __device__ __forceinline__ void store(const Task& task, Sum* c, const extents& e, scale<Sum> by) const {
    if (by.beta != Sum(0))
      write<true, false, 1>(task, c, e, by);
    else if (!task.is_whole(e))
      write<false, false, 1>(task, c, e, by);
    else if (sizeof(Sum) == 4 && e.ldc % 2 == 0 && reinterpret_cast<unsigned long long>(tile_of_c(task, c, e)) % 8 == 0)
      write<false, true, 2>(task, c, e, by);
    else
      write<false, true, 1>(task, c, e, by);
  }
};

}  // namespace warpwright::matmul
