// richardson/row_per_warp: each warp has some rows of the matrix, and reads x once for all of them.
#pragma once

#include "kernels/richardson/warp_rows.cuh"

namespace warpwright::richardson {

struct row_per_warp_params {
  int block_size = 128;
  int rows_per_warp = 1;
  int vector_width = 1;  ///< entries per access, if rows of a dense matrix are whole vectors
  int unroll = 1;        ///< accesses to a row in flight together
  block::load_hint hint = block::load_hint::plain;
  bool operator==(const row_per_warp_params&) const = default;
};

/// A sweep over a dense matrix. Grid: one warp per P.rows_per_warp rows.
template <class T, stop Stop, row_per_warp_params P>
__global__ void __launch_bounds__(P.block_size)
    row_per_warp(const T* a, const T* f, const T* from, T* to, T* taken, unsigned long long* largest,
                 sweep_rule<T> rule, int index) {
  constexpr int kWarps = P.block_size / 32;
  const int sweep = rule.first + index;
  const long long first = (static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / 32) * P.rows_per_warp;
  const progress<T> word{taken, largest};
  if (first >= rule.rows) return;
  if (has_stopped<Stop>(rule, word, sweep)) return keep_rows<T, P.rows_per_warp>(first, from, to, rule.rows);

  const warp_rows<T, P.rows_per_warp> rows(a, first, rule.rows);
  row_sums<T, P.rows_per_warp> sums{};
  if (rule.rows % P.vector_width == 0)
    add_vectors<P.vector_width, P.unroll, P.hint>(sums, rows, 0, from, rule.rows);
  else
    add_vectors<1, P.unroll, P.hint>(sums, rows, 0, from, rule.rows);
  finish_rows<Stop>(sums, first, f, from, to, rule, word, sweep);
}

/// The same over a sparse matrix: row r has the entries starts[r] to starts[r + 1], each with its column.
template <class T, stop Stop, row_per_warp_params P>
__global__ void __launch_bounds__(P.block_size)
    row_per_warp_sparse(const long long* starts, const int* columns, const T* a, const T* f, const T* from, T* to,
                        T* taken, unsigned long long* largest, sweep_rule<T> rule, int index) {
  constexpr int kWarps = P.block_size / 32;
  constexpr int kUnroll = P.unroll;
  const int sweep = rule.first + index;
  const long long first = (static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / 32) * P.rows_per_warp;
  const progress<T> word{taken, largest};
  if (first >= rule.rows) return;
  if (has_stopped<Stop>(rule, word, sweep)) return keep_rows<T, P.rows_per_warp>(first, from, to, rule.rows);

  row_sums<T, P.rows_per_warp> sums{};
#pragma unroll
  for (int r = 0; r < P.rows_per_warp; ++r) {
    const long long row = min(first + r, static_cast<long long>(rule.rows) - 1);
    const long long end = starts[row + 1];
#pragma unroll kUnroll
    for (long long at = starts[row] + threadIdx.x % 32; at < end; at += 32)
      sums[r] =
          fma(block::load_hinted<P.hint, 1>(a + at)[0], from[block::load_hinted<P.hint, 1>(columns + at)[0]], sums[r]);
  }
  finish_rows<Stop>(sums, first, f, from, to, rule, word, sweep);
}

}  // namespace warpwright::richardson
