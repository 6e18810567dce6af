// rows/registers: the threads of a row hold it in registers, so it is read once.
#pragma once

#include "kernels/rows/held_row.cuh"

namespace warpwright::rows {

struct registers_params {
  int block_size = 256;
  int row_threads = 256;  ///< that share a row
  int vector_width = 1;   ///< elements per access, if rows are whole vectors
  int held = 16;          ///< accesses per thread
  bool operator==(const registers_params&) const = default;
};

/// Grid: one block per block_size / row_threads rows of at most row_threads * held * vector_width elements.
template <class T, operation Op, registers_params P>
__global__ void __launch_bounds__(P.block_size)
    registers(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  const int thread = static_cast<int>(threadIdx.x);
  const long long row = static_cast<long long>(blockIdx.x) * (P.block_size / P.row_threads) + thread / P.row_threads;
  const held_columns columns{thread % P.row_threads * P.vector_width, P.row_threads * P.vector_width, of.columns};
  held_row<Op, T, P.held, P.vector_width> part;
  if (row < of.rows) part.load(in + row * of.columns, columns);

  const statistics mine = part.measure();
  const statistics all = across_row<P.row_threads, P.block_size, combined<Op>>(mine);

  part.store(out + row * of.columns, columns, all.center, factor_of<Op>(mine, all, of), weight, bias);
}

}  // namespace warpwright::rows
