// matmul/mma: products of halves with float sums on matrix units (mma.sync and ldmatrix), from tiles in shared memory
// that asynchronous copies fill. From sm_80.
#pragma once

#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/matmul/split_sums.cuh"

namespace warpwright::matmul {

struct mma_params {
  int tile_m = 128;
  int tile_n = 256;
  int tile_k = 32;
  int warp_m = 64;  ///< rows and columns of a warp's part of the tile
  int warp_n = 64;
  int bank_pad = 8;    ///< elements behind each row in shared memory
  int copy_width = 8;  ///< elements of a copy, where they are aligned
  int stages = 3;      ///< pairs of tiles in shared memory
  int group_m = 8;     ///< rows of tiles shared by blocks that run at the same time
  int splits = 1;      ///< parts into which sums are split, for few tiles and many terms
  int min_blocks = 1;
  bool operator==(const mma_params&) const = default;
};

/// What a warp multiplies at a time: 16 terms of its rows and columns.
template <class T, tiling S>
struct half_fragments {
  using warp = warp_sums<float, S, 16>;
  static_assert(warp::across_n % 2 == 0, "one load brings fragments for 16 columns");
  fragment_of_a<16, 16, T> a[warp::across_m];
  fragment_of_b<8, 16, T> b[warp::across_n];

  template <form B>
  __device__ __forceinline__ void load(const T* tile_a, const T* tile_b, int part) {
    using layout = stage_layout<B, S>;
    const warp_place<S> mine;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = part * 16;
    // Lanes give the addresses of rows: of 16 rows of A with 8 terms, then of the next 8 terms; of 8 columns of B with
    // 16 terms, then of the next 8 columns.
    const T* const from_a = tile_a + (mine.row + lane % 16) * layout::pitch_a + lane / 16 * 8;
    const int of_term = lane % 16, of_column = lane / 16 * 8;
    const T* const from_b = B == form::plain
                                ? tile_b + of_term * layout::pitch_b + mine.column + of_column
                                : tile_b + (mine.column + of_column + lane % 8) * layout::pitch_b + lane % 16 / 8 * 8;
#pragma unroll
    for (int i = 0; i < warp::across_m; ++i) load_matrices(a[i], from_a + i * 16 * layout::pitch_a + k);
#pragma unroll
    for (int j = 0; j < warp::across_n; j += 2) {
      unsigned two[4];
      if constexpr (B == form::plain)
        load_matrices_transposed(two, from_b + k * layout::pitch_b + j * 8);
      else
        load_matrices(two, from_b + j * 8 * layout::pitch_b + k);
      b[j][0] = two[0];
      b[j][1] = two[1];
      b[j + 1][0] = two[2];
      b[j + 1][1] = two[3];
    }
  }
};

/// C = alpha A B + beta C, or the parts of block_task. Grid: one block per tile of C, and in z one per part; dynamic
/// shared memory for `stages` pairs of tiles.
template <class T, form B, mma_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    mma(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = tiling_of(P);
  extern __shared__ __align__(16) unsigned char staging[];
  const block_task<T, B, S, P.copy_width, P.copy_width> task(a, b, e, P.group_m);
  warp_sums<Sum, S, 16> sums;
  using fragments = half_fragments<T, S>;
  for_each_part_of_tiles<P.stages, P.copy_width, S.k / 16, fragments, B, S>(
      task, reinterpret_cast<T*>(staging),
      [](fragments& next, const T* tile_a, const T* tile_b, int part) { next.template load<B>(tile_a, tile_b, part); },
      [&](const fragments& now, int) { sums.template add<16, T>(now); });
  sums.store(task, c, e, by);
}

}  // namespace warpwright::matmul
