// rows/registers: the threads of a row hold it in registers, so it is read once.
#pragma once

#include "kernels/rows/held_row.cuh"

namespace warpwright::rows {

struct registers_params {
  int block_size = 256;
  int row_threads = 256;  ///< that share a row
  int vector_width = 1;   ///< elements per access, if rows are whole vectors
  int held = 16;          ///< accesses per thread and row
  int rows = 1;           ///< that a thread takes part in, one after another
  bool operator==(const registers_params&) const = default;
};

/// Grid: one block per block_size / row_threads * rows rows of at most row_threads * held * vector_width elements. The
/// next row is loaded while the threads of the one before combine their statistics.
template <class T, operation Op, registers_params P>
__global__ void __launch_bounds__(P.block_size)
    registers(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kTogether = P.block_size / P.row_threads;  // rows
  const int thread = static_cast<int>(threadIdx.x);
  long long row = static_cast<long long>(blockIdx.x) * (kTogether * P.rows) + thread / P.row_threads;
  const held_columns<P.held, P.vector_width> columns{thread % P.row_threads * P.vector_width,
                                                     P.row_threads * P.vector_width, of.columns};
  held_row<P.held, P.vector_width> next;
  if (row < of.rows) next.load(in + row * of.columns, columns);
  held_weights<Op, T, P.held, P.vector_width> with;
  with.load(weight, bias, columns);

  for (int i = 0; i < P.rows; ++i, row += kTogether) {
    const held_row<P.held, P.vector_width> part = next;
    next.count = 0;
    if (i + 1 < P.rows && row + kTogether < of.rows) next.load(in + (row + kTogether) * of.columns, columns);

    const statistics mine = of_held<Op>(part.values, part.count);
    const statistics all = across_row<P.row_threads, P.block_size, combined<Op>>(mine);

    part.template store<Op>(out + row * of.columns, columns, all.center, factor_of<Op>(all.sum, of), with);
  }
}

}  // namespace warpwright::rows
