// How a block multiplies on matrix units: asynchronous copies fill a ring of tiles in shared memory, and each warp
// multiplies its part of the current one. Shared by the kernels on matrix units. From sm_80.
#pragma once

#include "kernels/block/copied_stages.cuh"
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

/// A ring of stages in shared memory, each with the tiles of a step. The threads of a block copy tiles into it, and
/// their warps use them. All threads wait for each other at every step.
template <int Stages, int Elements, class T>
struct block_ring {
  T* stages;
  int filled = 0, used = 0;  ///< the stage of the next copies, and that of the current step

  /// Starts the copies of a step by start(stage): one group of copies, even without any.
  template <class Start>
  __device__ __forceinline__ void fill(Start start) {
    start(stages + filled * Elements);
    filled = after(filled);
    async_commit();
  }
  /// Waits until the tiles of the current step are there.
  __device__ __forceinline__ void wait() const {
    async_wait<Stages - 2>();
    __syncthreads();  // also for the stage before, which the next copies replace
  }
  __device__ __forceinline__ const T* current() const { return stages + used * Elements; }
  /// When the calling warp has read all that it needs of the current stage.
  __device__ __forceinline__ void release() const {}
  __device__ __forceinline__ void next() { used = after(used); }

 private:
  static __device__ __forceinline__ int after(int stage) { return stage == Stages - 1 ? 0 : stage + 1; }
};

/// The same, but warps wait for each other only where they need to: until all threads have copied their shares of a
/// stage, or all warps have read it. So one may be some steps behind another.
template <int Stages, int Elements, class T>
struct warp_ring {
  using cursor = block::stage_cursor<Stages>;
  T* stages;
  cursor filled, used;

  /// The barriers are set up with all warps, and all threads.
  __device__ __forceinline__ warp_ring(T* memory, block::stage_barriers<Stages>& barriers)
      : stages(memory), filled{barriers}, used{barriers} {}

  template <class Start>
  __device__ __forceinline__ void fill(Start start) {
    filled.wait_until_empty();
    start(stages + filled.stage * Elements);
    phase_arrive_copied(filled.barrier());
    filled.next();
  }
  __device__ __forceinline__ void wait() const { used.wait(); }
  __device__ __forceinline__ const T* current() const { return stages + used.stage * Elements; }
  __device__ __forceinline__ void release() const {
    __syncwarp();
    used.release();
  }
  __device__ __forceinline__ void next() { used.next(); }
};

/// Multiplies in steps of Parts parts. Calls load(fragments, stage, part) for each part, and multiply(fragments, part)
/// when the fragments of the next part are being loaded, which may be in the next stage. Meanwhile copies of the next
/// Stages - 1 steps are under way: start(stage, step) starts those of a step, and start_whole(stage) those of the first
/// `whole_steps` steps, without branches, so that copies and arithmetic overlap.
template <int Stages, int Parts, class Fragments, class Ring, class StartWhole, class Start, class Load, class Multiply>
__device__ __forceinline__ void for_each_part(Ring ring, int steps, int whole_steps, StartWhole start_whole,
                                              Start start, Load load, Multiply multiply) {
  if (steps == 0) return;
  using stage = decltype(ring.stages);
  const auto start_if_any = [&](int step) {
    ring.fill([&](stage to) {
      if (step < steps) start(to, step);
    });
  };
#pragma unroll 1
  for (int step = 0; step < Stages - 1; ++step) start_if_any(step);
  Fragments fragments[2];  // of the current part and of the next one
  const auto load_next = [&](Fragments& to, int part) {
    load(to, ring.current(), part);
    if (part + 1 == Parts) ring.release();
  };
  ring.wait();
  load_next(fragments[0], 0);
  const auto multiply_parts = [&](bool is_last) {
#pragma unroll
    for (int part = 0; part < Parts; ++part) {
      Fragments& next = fragments[(part + 1) % 2];
      if (part + 1 < Parts) {
        load_next(next, part + 1);
      } else if (!is_last) {
        ring.next();
        ring.wait();
        load_next(next, 0);
      }
      multiply(fragments[part % 2], part);
    }
    if constexpr (Parts % 2 == 1) fragments[0] = fragments[1];
  };
  int step = 0;
#pragma unroll 1
  for (; step + Stages - 1 < whole_steps; ++step) {
    ring.fill(start_whole);
    multiply_parts(false);
  }
#pragma unroll 1
  for (; step < steps; ++step) {
    start_if_any(step + Stages - 1);
    multiply_parts(step + 1 == steps);
  }
}

/// The same with a tile of A and one of B in each stage of a block_ring in `stages`: load(fragments, tile of A, tile of
/// B, part).
template <int Stages, int Width, int Parts, class Fragments, form B, tiling S, class T, class Task, class Load,
          class Multiply>
__device__ __forceinline__ void for_each_part_of_tiles(const Task& task, T* stages, Load load, Multiply multiply) {
  using layout = stage_layout<B, S>;
  typename layout::template copy_of_a<T, Width> from_a(task.a);
  typename layout::template copy_of_b<T, Width> from_b(task.b);
  for_each_part<Stages, Parts, Fragments>(
      block_ring<Stages, layout::elements, T>{stages}, task.steps, task.whole_steps(),
      [&](T* to) {
        start_whole_copy(to, from_a, task.a);
        start_whole_copy(to + layout::elements_a, from_b, task.b);
      },
      [&](T* to, int step) {
        start_copy(to, from_a, task.a, step, task.terms_of(step));
        start_copy(to + layout::elements_a, from_b, task.b, step, task.terms_of(step));
      },
      [&](Fragments& fragments, const T* stage, int part) { load(fragments, stage, stage + layout::elements_a, part); },
      multiply);
}

/// Where the calling warp's part of a tile begins.
template <tiling S>
struct warp_place {
  static constexpr int warp_m = S.thread_m * 8, warp_n = S.thread_n * 4;
  static constexpr int warps_n = S.n / warp_n;

  int row = static_cast<int>(threadIdx.x) / 32 / warps_n * warp_m;
  int column = static_cast<int>(threadIdx.x) / 32 % warps_n * warp_n;
};

/// Whether matrix units keep only 14 bits of a sum of such products.
template <class T>
inline constexpr bool is_short_sum = false;
template <>
inline constexpr bool is_short_sum<float8_e4m3> = true;

/// The sums of a warp: products of M x 8 side by side. The sums of a lane lie as mma.sync defines it.
template <class Sum, tiling S, int M>
struct warp_sums {
  static constexpr int across_m = S.thread_m * 8 / M, across_n = S.thread_n * 4 / 8;

  fragment_of_sums<M, 8, Sum> of[across_m][across_n] = {};

  /// Adds the products of K terms: of fragments.a, of M rows each, and fragments.b, of 8 columns each. Those of 8-bit
  /// floats are summed apart, since matrix units keep few bits of them.
  template <int K, class T, class Fragments>
  __device__ __forceinline__ void add(const Fragments& fragments) {
#pragma unroll
    for (int i = 0; i < across_m; ++i)
#pragma unroll
      for (int j = 0; j < across_n; ++j) {
        if constexpr (is_short_sum<T>) {
          fragment_of_sums<M, 8, Sum> few = {};
          multiply_add<M, 8, K, T>(few, fragments.a[i], fragments.b[j]);
#pragma unroll
          for (int s = 0; s < M / 4; ++s) of[i][j][s] += few[s];
        } else {
          multiply_add<M, 8, K, T>(of[i][j], fragments.a[i], fragments.b[j]);
        }
      }
  }

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
            store_vector(to, vec<Sum, 2>{times(by.alpha, pair[0]), times(by.alpha, pair[1])});
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
    else if (e.ldc % 2 == 0 && reinterpret_cast<unsigned long long>(tile_of_c(task, c, e)) % (2 * sizeof(Sum)) == 0)
      write<false, true, 2>(task, c, e, by);
    else
      write<false, true, 1>(task, c, e, by);
  }
};

}  // namespace warpwright::matmul
