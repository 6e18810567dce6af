// richardson/row_per_thread: each thread has one row of the matrix.
#pragma once

#include "kernels/richardson/sweep.cuh"

namespace warpwright::richardson {

struct row_per_thread_params {
  int block_size = 128;
  int vector_width = 1;    ///< entries per access, if rows of a dense matrix are whole vectors
  int unroll = 1;          ///< accesses to a row per iteration
  bool read_only = false;  ///< loads the matrix through the read-only data cache
  bool operator==(const row_per_thread_params&) const = default;
};

/// The product of a row of a dense matrix and `from`.
template <row_per_thread_params P, class T>
__device__ __forceinline__ T row_product(const T* row, const T* from, int columns) {
  constexpr int kVector = P.vector_width;
  constexpr int kUnroll = P.unroll;
  T sum = 0;
  if (columns % kVector == 0) {
#pragma unroll kUnroll
    for (int at = 0; at < columns; at += kVector) {
      const vec<T, kVector> entries =
          P.read_only ? load_vector_readonly<kVector>(row + at) : load_vector<kVector>(row + at);
      const vec<T, kVector> x = load_vector<kVector>(from + at);
#pragma unroll
      for (int v = 0; v < kVector; ++v) sum = fma(entries[v], x[v], sum);
    }
    return sum;
  }
#pragma unroll kUnroll
  for (int at = 0; at < columns; ++at) sum = fma(P.read_only ? load_readonly(row + at) : row[at], from[at], sum);
  return sum;
}

/// A sweep over a dense matrix, row by row. Grid: one thread per row.
template <class T, stop Stop, row_per_thread_params P>
__global__ void __launch_bounds__(P.block_size)
    row_per_thread(const T* a, const T* f, const T* from, T* to, T* taken, unsigned long long* largest,
                   sweep_rule<T> rule, int index) {
  const int sweep = rule.first + index;
  const long long row = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  const progress<T> word{taken, largest};
  if (row >= rule.rows) return;
  if (has_stopped<Stop>(rule, word, sweep)) {
    to[row] = from[row];
    return;
  }
  finish_row<Stop>(row_product<P>(a + row * rule.rows, from, rule.rows), row, f, from, to, rule, word, sweep);
}

/// The same over a sparse matrix: row r has the entries starts[r] to starts[r + 1], each with its column.
template <class T, stop Stop, row_per_thread_params P>
__global__ void __launch_bounds__(P.block_size)
    row_per_thread_sparse(const long long* starts, const int* columns, const T* a, const T* f, const T* from, T* to,
                          T* taken, unsigned long long* largest, sweep_rule<T> rule, int index) {
  constexpr int kUnroll = P.unroll;
  const int sweep = rule.first + index;
  const long long row = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  const progress<T> word{taken, largest};
  if (row >= rule.rows) return;
  if (has_stopped<Stop>(rule, word, sweep)) {
    to[row] = from[row];
    return;
  }
  T sum = 0;
#pragma unroll kUnroll
  for (long long at = starts[row]; at < starts[row + 1]; ++at)
    sum = fma(P.read_only ? load_readonly(a + at) : a[at], from[columns[at]], sum);
  finish_row<Stop>(sum, row, f, from, to, rule, word, sweep);
}

}  // namespace warpwright::richardson
