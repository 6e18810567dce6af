// matmul/split_mma: products of floats on matrix units. Each float is split into three bfloat16 numbers (split_planes),
// and six of the nine products of their parts are added, the small ones first. The three others are below a quarter of
// a rounding. Sums of some terms are added to the sums of a lane in float arithmetic, which rounds where matrix units
// cut off. From sm_80.
#pragma once

#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/matmul/split_fallback.cuh"
#include "kernels/matmul/split_planes.cuh"

namespace warpwright::matmul {

struct split_mma_params {
  int tile_m = 128;
  int tile_n = 128;
  int tile_k = 16;  ///< terms that matrix units add before float arithmetic does
  int warp_m = 64;  ///< rows and columns of a warp's part of the tile
  int warp_n = 32;
  int bank_pad = 8;  ///< elements behind each row in shared memory
  int stages = 2;    ///< pairs of tiles in shared memory
  int group_m = 8;   ///< rows of tiles shared by blocks that run at the same time
  int min_blocks = 1;
  bool operator==(const split_mma_params&) const = default;
};

/// Starts copying a thread's share of a tile from each plane. Planes are so far apart in memory, and their tiles in a
/// stage.
template <class Share>
__device__ __forceinline__ void start_planes(unsigned short* to, Share& mine, const operand<unsigned short>& of,
                                             int tile_elements, long long plane_elements) {
  mine.for_each(of, [&](int pass, const unsigned short* from) {
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane)
      warpwright::async_copy<2 * Share::width>(mine.target(to + plane * tile_elements, pass, 0),
                                               from + plane * plane_elements);
  });
}

/// A warp's rows of the planes of A in a step.
template <tiling S>
struct split_rows {
  static_assert(S.k % 16 == 0, "one load brings fragments for 16 terms");
  static constexpr int parts = S.k / 16, across_m = warp_sums<float, S, 16>::across_m;
  unsigned of[kPlanes][parts][across_m][4];
};

/// What a warp multiplies at a time: the terms of a step, of its rows and 16 of its columns.
template <tiling S>
struct split_fragments {
  static constexpr int parts = split_rows<S>::parts, across_m = split_rows<S>::across_m;
  split_rows<S> a;                ///< loaded for the first columns of a step only
  unsigned b[kPlanes][parts][4];  ///< for 8 columns, and for the next 8

  /// `pair`: which 16 of the warp's columns.
  template <form B>
  __device__ __forceinline__ void load(const unsigned short* stage, int pair) {
    using layout = stage_layout<B, S>;
    constexpr int kPlaneOfB = layout::elements - layout::elements_a;
    const warp_place<S> mine;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    // Lanes give the addresses of rows as in mma.cuh.
    const unsigned short* const from_a = stage + (mine.row + lane % 16) * layout::pitch_a + lane / 16 * 8;
    const unsigned short* const tile_b = stage + kPlanes * layout::elements_a;
    const int of_term = lane % 16, of_column = pair * 16 + lane / 16 * 8;
    const unsigned short* const from_b =
        B == form::plain ? tile_b + of_term * layout::pitch_b + mine.column + of_column
                         : tile_b + (mine.column + of_column + lane % 8) * layout::pitch_b + lane % 16 / 8 * 8;
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane)
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        if (pair == 0) {
#pragma unroll
          for (int i = 0; i < across_m; ++i)
            load_matrices(a.of[plane][part][i],
                          from_a + plane * layout::elements_a + i * 16 * layout::pitch_a + part * 16);
        }
        const unsigned short* const from = from_b + plane * kPlaneOfB;
        if constexpr (B == form::plain)
          load_matrices_transposed(b[plane][part], from + part * 16 * layout::pitch_b);
        else
          load_matrices(b[plane][part], from + part * 16);
      }
  }
};

/// Adds six products of planes to the sums of 16 columns, which begin at 8 times `first`.
template <tiling S>
__device__ __forceinline__ void add_split_products(warp_sums<float, S, 16>& sums, int first, const split_rows<S>& a,
                                                   const unsigned (&b)[kPlanes][split_rows<S>::parts][4]) {
  constexpr int across_m = split_rows<S>::across_m;
  constexpr int plane_of_a[] = {2, 0, 1, 1, 0, 0}, plane_of_b[] = {0, 2, 1, 0, 1, 0};
  float few[across_m][2][4] = {};
#pragma unroll
  for (int product = 0; product < 6; ++product)
#pragma unroll
    for (int part = 0; part < split_rows<S>::parts; ++part)
#pragma unroll
      for (int i = 0; i < across_m; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half)
          multiply_add<16, 8, 16, bfloat16>(
              few[i][half], a.of[plane_of_a[product]][part][i],
              reinterpret_cast<const unsigned(&)[2]>(b[plane_of_b[product]][part][2 * half]));
#pragma unroll
  for (int i = 0; i < across_m; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int s = 0; s < 4; ++s) sums.of[i][first + half][s] += few[i][half][s];
}

/// C = alpha A B + beta C from the planes of A and B, unless the state is unfit. `padded` has the sizes of the planes,
/// and ldc of C; C has m rows and n columns. Grid: one block per tile of C; dynamic shared memory for `stages` of three
/// pairs of tiles.
template <class T, form B, split_mma_params P>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    split_mma(const unsigned short* __restrict__ a, const unsigned short* __restrict__ b, T* c, extents padded,
              long long m, long long n, scale<T> by, const split_state* state) {
  wait_for_previous_launch();
  let_next_launch_begin();
  if (state->unfit != 0) return;
  constexpr tiling S = tiling_of(P);
  using layout = stage_layout<B, S>;
  constexpr int kWidth = 8;
  extern __shared__ __align__(16) unsigned char staging[];
  __shared__ block::stage_barriers<P.stages> barriers;
  if (threadIdx.x == 0) barriers.init(threads_of(S) / 32, threads_of(S));
  __syncthreads();
  block_task<unsigned short, B, S, kWidth, kWidth> task(a, b, padded, P.group_m);
  typename layout::template copy_of_a<unsigned short, kWidth> from_a(task.a);
  typename layout::template copy_of_b<unsigned short, kWidth> from_b(task.b);
  warp_sums<T, S, 16> sums;
  const auto start_all = [&](unsigned short* to) {
    start_planes(to, from_a, task.a, layout::elements_a, padded.m * padded.k);
    start_planes(to + kPlanes * layout::elements_a, from_b, task.b, layout::elements - layout::elements_a,
                 padded.n * padded.k);
  };
  using fragments = split_fragments<S>;
  constexpr int kPairs = warp_sums<T, S, 16>::across_n / 2;
  split_rows<S> rows;
  for_each_part<P.stages, kPairs, fragments>(
      warp_ring<P.stages, kPlanes * layout::elements, unsigned short>(reinterpret_cast<unsigned short*>(staging),
                                                                      barriers),
      task.steps, task.steps, start_all, [&](unsigned short* to, int) { start_all(to); },
      [](fragments& next, const unsigned short* stage, int pair) { next.template load<B>(stage, pair); },
      [&](const fragments& now, int pair) {
        if (pair == 0) rows = now.a;
        add_split_products<S>(sums, 2 * pair, rows, now.b);
      });
  task.a.places = static_cast<int>(min(static_cast<long long>(S.m), m - task.row(padded)));
  task.b.places = static_cast<int>(min(static_cast<long long>(S.n), n - task.column(padded)));
  sums.store(task, c, padded, by);
}

}  // namespace warpwright::matmul
