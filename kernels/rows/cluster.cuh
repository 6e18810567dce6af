// rows/cluster: the blocks of a cluster hold a long row in registers, and read each other's statistics from shared
// memory. From sm_90.
#pragma once

#include "kernels/rows/held_row.cuh"
#include "kernels/runtime/clusters.cuh"

namespace warpwright::rows {

struct cluster_params {
  int block_size = 256;
  int row_blocks = 4;    ///< that share a row
  int vector_width = 1;  ///< elements per access, if rows are whole vectors
  int held = 16;         ///< accesses per thread
  bool operator==(const cluster_params&) const = default;
};

/// Grid: one cluster of P.row_blocks blocks per row of at most row_blocks * block_size * held * vector_width elements.
template <class T, operation Op, cluster_params P>
__global__ void __launch_bounds__(P.block_size)
    cluster(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  __shared__ statistics of_block;
  const long long begin = blockIdx.x / P.row_blocks * static_cast<long long>(of.columns);
  const held_columns columns{static_cast<int>(blockIdx.x % P.row_blocks * P.block_size + threadIdx.x) * P.vector_width,
                             P.row_blocks * P.block_size * P.vector_width, of.columns};
  held_row<Op, T, P.held, P.vector_width> part;
  part.load(in + begin, columns);

  const statistics mine = part.measure();
  const statistics block = across_row<P.block_size, P.block_size, combined<Op>>(mine);
  if (threadIdx.x == 0) of_block = block;
  cluster_sync();
  statistics all = of_none<Op>();
#pragma unroll
  for (int b = 0; b < P.row_blocks; ++b)
    all = combined<Op>::both(all, *in_block_of_cluster(&of_block, static_cast<unsigned>(b)));
  cluster_arrive();

  part.store(out + begin, columns, all.center, factor_of<Op>(mine, all, of), weight, bias);
  cluster_wait();  // the others have read this block's statistics
}

}  // namespace warpwright::rows
