// richardson/tiled: each warp of a block has some rows, and all share tiles of x in shared memory.
#pragma once

#include "kernels/richardson/warp_rows.cuh"

namespace warpwright::richardson {

struct tiled_params {
  int block_size = 128;
  int tile = 256;  ///< elements of x in shared memory
  int rows_per_warp = 1;
  int vector_width = 1;  ///< entries per access, if rows are whole vectors
  int unroll = 1;        ///< accesses to a row in flight together
  block::load_hint hint = block::load_hint::plain;
  bool operator==(const tiled_params&) const = default;
};

/// A sweep over a dense matrix. Grid: one warp per P.rows_per_warp rows; all warps of a block copy the tiles.
template <class T, stop Stop, tiled_params P>
__global__ void __launch_bounds__(P.block_size) tiled(const T* a, const T* f, const T* from, T* to, T* taken,
                                                      unsigned long long* largest, sweep_rule<T> rule, int index) {
  constexpr int kWarps = P.block_size / 32;
  constexpr int kVector = P.vector_width;
  static_assert(P.tile % kVector == 0, "tiles are whole vectors");
  __shared__ vec<T, kVector> x[P.tile / kVector];
  T* const elements = &x[0][0];
  const int sweep = rule.first + index;
  const long long first = (static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / 32) * P.rows_per_warp;
  const progress<T> word{taken, largest};
  if (has_stopped<Stop>(rule, word, sweep)) return keep_rows<T, P.rows_per_warp>(first, from, to, rule.rows);

  const bool is_whole = rule.rows % kVector == 0;
  const warp_rows<T, P.rows_per_warp> rows(a, first, rule.rows);
  row_sums<T, P.rows_per_warp> sums{};
  for (long long begin = 0; begin < rule.rows; begin += P.tile) {
    const int count = static_cast<int>(min(static_cast<long long>(P.tile), rule.rows - begin));
    if (begin > 0) __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += P.block_size) elements[i] = from[begin + i];
    __syncthreads();
    if (is_whole)
      add_vectors<kVector, P.unroll, P.hint>(sums, rows, begin, elements, count);
    else
      add_vectors<1, P.unroll, P.hint>(sums, rows, begin, elements, count);
  }
  finish_rows<Stop>(sums, first, f, from, to, rule, word, sweep);
}

}  // namespace warpwright::richardson
