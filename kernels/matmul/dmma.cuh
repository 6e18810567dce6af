// matmul/dmma: products of doubles on matrix units (mma.sync). Each warp multiplies 8 or 16 rows by 8 columns at a
// time, from tiles in shared memory that asynchronous copies fill. From sm_80.
#pragma once

#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/matmul/split_sums.cuh"

namespace warpwright::matmul {

struct dmma_params {
  int tile_m = 128;
  int tile_n = 64;
  int tile_k = 16;
  int warp_m = 32;  ///< rows and columns of a warp's part of the tile
  int warp_n = 32;
  int mma_m = 8;       ///< rows of A in one instruction; 16 from sm_90
  int mma_k = 4;       ///< terms in one instruction
  int bank_pad = 4;    ///< elements behind each row in shared memory
  int copy_width = 2;  ///< elements of a copy, where they are aligned
  int stages = 3;      ///< pairs of tiles in shared memory
  int group_m = 8;     ///< rows of tiles shared by blocks that run at the same time
  int splits = 1;      ///< parts into which sums are split, for few tiles and many terms
  int min_blocks = 1;
  bool operator==(const dmma_params&) const = default;
};

/// What a warp multiplies at a time: K terms of its rows and columns, for instructions of M rows.
template <tiling S, int M, int K>
struct double_fragments {
  using warp = warp_sums<double, S, M>;
  fragment_of_a<M, K, double> a[warp::across_m];
  fragment_of_b<8, K, double> b[warp::across_n];

  template <form B>
  __device__ __forceinline__ void load(const double* tile_a, const double* tile_b, int part) {
    using layout = stage_layout<B, S>;
    const warp_place<S> mine;
    const int group = static_cast<int>(threadIdx.x) % 32 / 4;
    const int member = static_cast<int>(threadIdx.x) % 4, k = part * K;
    const double* const from_a = tile_a + (mine.row + group) * layout::pitch_a + member;
    const double* const from_b = B == form::plain ? tile_b + member * layout::pitch_b + mine.column + group
                                                  : tile_b + (mine.column + group) * layout::pitch_b + member;
    constexpr int kNextTerm = B == form::plain ? layout::pitch_b : 1;
    constexpr int kNextColumn = B == form::plain ? 1 : layout::pitch_b;
#pragma unroll
    for (int i = 0; i < warp::across_m; ++i)
#pragma unroll
      for (int r = 0; r < M * K / 32; ++r)
        a[i][r] = from_a[(i * M + r % (M / 8) * 8) * layout::pitch_a + k + r / (M / 8) * 4];
#pragma unroll
    for (int j = 0; j < warp::across_n; ++j)
#pragma unroll
      for (int r = 0; r < K / 4; ++r) b[j][r] = from_b[(k + r * 4) * kNextTerm + j * 8 * kNextColumn];
  }
};

/// C = alpha A B + beta C, or the parts of block_task. Grid: one block per tile of C, and in z one per part; dynamic
/// shared memory for `stages` pairs of tiles.
template <class T, form B, dmma_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    dmma(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  extern __shared__ __align__(16) unsigned char staging[];
  const block_task<T, B, S, P.copy_width, P.copy_width> task(a, b, e, P.group_m);
  warp_sums<T, S, P.mma_m> sums;
  using fragments = double_fragments<S, P.mma_m, P.mma_k>;
  for_each_part_of_tiles<P.stages, P.copy_width, S.k / P.mma_k, fragments, B, S>(
      task, reinterpret_cast<T*>(staging),
      [](fragments& next, const T* tile_a, const T* tile_b, int part) { next.template load<B>(tile_a, tile_b, part); },
      [&](const fragments& now, int) { sums.template add<P.mma_k, T>(now); });
  sums.store(task, c, e, by);
}

}  // namespace warpwright::matmul
