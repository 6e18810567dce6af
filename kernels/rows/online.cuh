// rows/online: a block reads its row once for the centre and the sum together, and once more for the results.
#pragma once

#include "kernels/rows/held_row.cuh"

namespace warpwright::rows {

struct online_params {
  int block_size = 256;
  int vector_width = 1;  ///< elements per access, if rows are whole vectors
  int unroll = 4;        ///< accesses in flight together
  bool operator==(const online_params&) const = default;
};

/// Grid: one block per row.
template <class T, operation Op, online_params P>
__global__ void __launch_bounds__(P.block_size) online(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kStride = P.block_size * P.vector_width;
  const long long begin = blockIdx.x * static_cast<long long>(of.columns);
  const int thread = static_cast<int>(threadIdx.x) * P.vector_width;
  held_row<Op, T, P.unroll, P.vector_width> part;

  statistics mine = of_none<Op>();
  for (int c = thread; c < of.columns; c += kStride * P.unroll) {
    part.load(in + begin, {c, kStride, of.columns});
    mine = combined<Op>::both(mine, part.measure());
  }
  const statistics all = across_row<P.block_size, P.block_size, combined<Op>>(mine);
  const float factor = factor_of<Op>(all.sum, of);

  for (int c = thread; c < of.columns; c += kStride * P.unroll) {
    const held_columns columns{c, kStride, of.columns};
    part.load(in + begin, columns);
    part.take_exponentials(all.center);
    part.store(out + begin, columns, all.center, factor, weight, bias);
  }
}

}  // namespace warpwright::rows
