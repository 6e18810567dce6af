// rows/registers: the threads of a row hold it in registers, so it is read once.
#pragma once

#include "kernels/rows/held_row.cuh"

namespace warpwright::rows {

struct registers_params {
  int block_size = 256;
  int row_threads = 256;    ///< that share a row
  int vector_width = 1;     ///< elements per access, if rows are whole vectors
  int held = 16;            ///< accesses per thread and row
  int rows_per_thread = 1;  ///< that the same threads take, so that they read weights and biases once
  bool operator==(const registers_params&) const = default;
};

/// Grid: one block per block_size / row_threads * rows rows of at most row_threads * held * vector_width elements.
template <class T, operation Op, registers_params P>
__global__ void __launch_bounds__(P.block_size)
    registers(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kTogether = P.block_size / P.row_threads;  // rows of different threads
  const int thread = static_cast<int>(threadIdx.x);
  const long long row = static_cast<long long>(blockIdx.x) * (kTogether * P.rows_per_thread) + thread / P.row_threads;
  const held_columns columns{thread % P.row_threads * P.vector_width, P.row_threads * P.vector_width, of.columns};
  held_row<Op, T, P.held, P.vector_width> parts[P.rows_per_thread];
  load_rows(parts, in, row, kTogether, of, columns);

  float centers[P.rows_per_thread], factors[P.rows_per_thread];
#pragma unroll
  for (int r = 0; r < P.rows_per_thread; ++r) {
    const statistics mine = parts[r].measure();
    const statistics all = across_row<P.row_threads, P.block_size, combined<Op>>(mine);
    centers[r] = all.center;
    factors[r] = factor_of<Op>(mine, all, of);
  }

  store_rows(parts, out + row * of.columns, static_cast<long long>(kTogether) * of.columns, columns, centers, factors,
             weight, bias);
}

}  // namespace warpwright::rows
