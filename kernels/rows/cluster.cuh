// rows/cluster: the blocks of a cluster hold a long row in registers, and read each other's statistics from shared
// memory. From sm_90.
#pragma once

#include "kernels/rows/held_row.cuh"
#include "kernels/runtime/clusters.cuh"

namespace warpwright::rows {

struct cluster_params {
  int block_size = 256;
  int row_blocks = 4;       ///< that share a row
  int vector_width = 1;     ///< elements per access, if rows are whole vectors
  int held = 16;            ///< accesses per thread and row
  int rows_per_thread = 1;  ///< that a cluster takes, so that it reads weights and biases once
  bool operator==(const cluster_params&) const = default;
};

/// Grid: one cluster of P.row_blocks blocks per P.rows_per_thread rows of at most row_blocks * block_size * held *
/// vector_width elements.
template <class T, operation Op, cluster_params P>
__global__ void __launch_bounds__(P.block_size)
    cluster(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  __shared__ statistics of_block[P.rows_per_thread];
  const long long row = static_cast<long long>(blockIdx.x) / P.row_blocks * P.rows_per_thread;
  const held_columns columns{static_cast<int>(blockIdx.x % P.row_blocks * P.block_size + threadIdx.x) * P.vector_width,
                             P.row_blocks * P.block_size * P.vector_width, of.columns};
  held_row<Op, T, P.held, P.vector_width> parts[P.rows_per_thread];
  load_rows(parts, in, row, 1, of, columns);

  statistics mine[P.rows_per_thread];
#pragma unroll
  for (int r = 0; r < P.rows_per_thread; ++r) {
    mine[r] = parts[r].measure();
    const statistics block = across_row<P.block_size, P.block_size, combined<Op>>(mine[r]);
    if (threadIdx.x == 0) of_block[r] = block;
  }
  cluster_sync();
  float centers[P.rows_per_thread], factors[P.rows_per_thread];
#pragma unroll
  for (int r = 0; r < P.rows_per_thread; ++r) {
    statistics all = of_none<Op>();
#pragma unroll
    for (int b = 0; b < P.row_blocks; ++b)
      all = combined<Op>::both(all, *in_block_of_cluster(&of_block[r], static_cast<unsigned>(b)));
    centers[r] = all.center;
    factors[r] = factor_of<Op>(mine[r], all, of);
  }
  cluster_arrive();

  store_rows(parts, out + row * of.columns, of.columns, columns, centers, factors, weight, bias);
  cluster_wait();  // the others have read this block's statistics
}

}  // namespace warpwright::rows
