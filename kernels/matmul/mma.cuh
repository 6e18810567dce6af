// matmul/mma: products of short elements on matrix units (mma.sync and ldmatrix), from tiles in shared memory that
// asynchronous copies fill: halves, bfloat16, TF32 and 8-bit floats with float sums, 8-bit integers with int sums. From
// sm_80; 8-bit floats from sm_89.
#pragma once

#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/matmul/split_sums.cuh"

namespace warpwright::matmul {

/// tile_k, bank_pad and copy_width are in units of 2 bytes, whatever the elements are: tile_k = 32 is 64 bytes, which
/// are 32 halves, 16 of TF32 or 64 of 8 bits.
struct mma_params {
  int tile_m = 128;
  int tile_n = 256;
  int tile_k = 32;
  int warp_m = 64;  ///< rows and columns of a warp's part of the tile
  int warp_n = 64;
  int bank_pad = 8;    ///< elements behind each row in shared memory
  int copy_width = 8;  ///< elements of a copy, where they are aligned
  int stages = 3;      ///< pairs of tiles in shared memory
  int group_m = 8;     ///< height in tiles of the bands in which blocks are numbered, for the L2 cache
  int splits = 1;      ///< slices of the terms (split-K), for few tiles and many terms
  int min_blocks = 1;
  bool operator==(const mma_params&) const = default;
};

/// The params for elements of so many bytes, with all counts in these elements.
__host__ __device__ constexpr mma_params for_elements_of(mma_params p, int bytes) {
  p.tile_k = p.tile_k * 2 / bytes;
  p.bank_pad = p.bank_pad * 2 / bytes;
  p.copy_width = p.copy_width * 2 / bytes;
  return p;
}

/// The elements of a register, of 1 or 4 bytes, from rows `pitch` elements apart.
template <class T>
__device__ __forceinline__ unsigned gathered(const T* from, int pitch) {
  unsigned all = 0;
#pragma unroll
  for (int i = 0; i < elements_a_register<T>; ++i) {
    if constexpr (sizeof(T) == 1)
      all |= static_cast<unsigned>(__builtin_bit_cast(unsigned char, from[i * pitch])) << (i * 8);
    else
      all = __builtin_bit_cast(unsigned, from[i * pitch]);
  }
  return all;
}

/// What a warp multiplies at a time: 32 bytes of each of its rows and columns.
template <class T, tiling S>
struct short_fragments {
  static constexpr int terms = 32 / sizeof(T), in_a_register = elements_a_register<T>;
  using warp = warp_sums<sum_of<T>, S, 16>;
  static_assert(warp::across_n % 2 == 0, "one load brings fragments for 16 columns");
  fragment_of_a<16, terms, T> a[warp::across_m];
  fragment_of_b<8, terms, T> b[warp::across_n];

  template <form B>
  __device__ __forceinline__ void load(const T* tile_a, const T* tile_b, int part) {
    using layout = stage_layout<B, S>;
    const warp_place<S> mine;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = part * terms;
    // Lanes give the addresses of rows of 16 bytes: of 16 rows of A, then of the next 16 bytes of these rows.
    const T* const from_a = tile_a + (mine.row + lane % 16) * layout::pitch_a + lane / 16 * (terms / 2);
#pragma unroll
    for (int i = 0; i < warp::across_m; ++i) load_matrices(a[i], from_a + i * 16 * layout::pitch_a + k);
    if constexpr (B == form::transposed) {
      // Of 8 columns of B, then of the next 16 bytes of these columns, then of the next 8 columns.
      const int of_column = lane / 16 * 8 + lane % 8, of_term = lane % 16 / 8 * (terms / 2);
      const T* const from = tile_b + (mine.column + of_column) * layout::pitch_b + of_term + k;
#pragma unroll
      for (int j = 0; j < warp::across_n; j += 2)
        load_two(j, [&](unsigned(&two)[4]) { load_matrices(two, from + j * 8 * layout::pitch_b); });
    } else if constexpr (sizeof(T) == 2) {
      // Of 8 columns of 16 terms, then of the next 8 columns.
      const T* const from = tile_b + (lane % 16 + k) * layout::pitch_b + mine.column + lane / 16 * 8;
#pragma unroll
      for (int j = 0; j < warp::across_n; j += 2)
        load_two(j, [&](unsigned(&two)[4]) { load_matrices_transposed(two, from + j * 8); });
    } else {
      const int term = lane % 4 * in_a_register + k;
      const T* const from = tile_b + term * layout::pitch_b + mine.column + lane / 4;
#pragma unroll
      for (int j = 0; j < warp::across_n; ++j)
#pragma unroll
        for (int r = 0; r < 2; ++r)
          b[j][r] = gathered(from + r * 4 * in_a_register * layout::pitch_b + j * 8, layout::pitch_b);
    }
  }

 private:
  /// Fragments for 8 columns and for the next 8, by one load.
  template <class Load>
  __device__ __forceinline__ void load_two(int j, Load load) {
    unsigned two[4];
    load(two);
    b[j][0] = two[0];
    b[j][1] = two[1];
    b[j + 1][0] = two[2];
    b[j + 1][1] = two[3];
  }
};

/// C = alpha A B + beta C. Grid: in x the tiles of C, in y the matrix products, in z the slices of the terms. With
/// several slices, each writes its own C, without factors. Dynamic shared memory for `stages` pairs of tiles.
template <class T, form B, mma_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(threads_of(tiling_of(P)), P.min_blocks)
    mma(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr mma_params Q = for_elements_of(P, sizeof(T));
  constexpr tiling S = tiling_of(Q);
  extern __shared__ __align__(16) unsigned char staging[];
  const block_task<T, B, S, Q.copy_width, Q.copy_width> task(a, b, e, P.group_m);
  warp_sums<Sum, S, 16> sums;
  using fragments = short_fragments<T, S>;
  for_each_part_of_tiles<P.stages, Q.copy_width, S.k / fragments::terms, fragments, B, S>(
      task, reinterpret_cast<T*>(staging),
      [](fragments& next, const T* tile_a, const T* tile_b, int part) { next.template load<B>(tile_a, tile_b, part); },
      [&](const fragments& now, int) { sums.template add<fragments::terms, T>(now); });
  sums.store(task, c, e, by);
}

}  // namespace warpwright::matmul
