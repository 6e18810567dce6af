// rows/split: several blocks share a long row. The first launch finds the statistics of each part, the second one
// combines those of a row and writes its results.
#pragma once

#include "kernels/rows/held_row.cuh"

namespace warpwright::rows {

struct split_params {
  int block_size = 256;
  int parts = 8;  ///< blocks per row
  int vector_width = 1;
  int unroll = 4;
  bool operator==(const split_params&) const = default;
};

/// The columns of a part begin at whole vectors of all threads of a block.
template <split_params P>
struct part_of_row {
  static constexpr int kStride = P.block_size * P.vector_width;
  long long begin;  ///< of the row
  int first, end;   ///< columns

  __device__ explicit part_of_row(const matrix& of) : begin(blockIdx.x / P.parts * static_cast<long long>(of.columns)) {
    const int strides = (of.columns + kStride - 1) / kStride;
    const int each = (strides + P.parts - 1) / P.parts * kStride;
    const int part = static_cast<int>(blockIdx.x % P.parts);
    first = min(part * each, of.columns);
    end = min(first + each, of.columns);
  }
};

/// found[3 * (row * P.parts + part)] and the two after it = the statistics of that part. Grid: one block per part of a
/// row.
template <class T, operation Op, split_params P>
__global__ void __launch_bounds__(P.block_size) split_measure(const T* in, float* found, matrix of) {
  const part_of_row<P> here(of);
  held_row<Op, T, P.unroll, P.vector_width> part;
  statistics mine = of_none<Op>();
  for (int c = here.first + static_cast<int>(threadIdx.x) * P.vector_width; c < here.end;
       c += here.kStride * P.unroll) {
    part.load(in + here.begin, {c, here.kStride, here.end});
    mine = combined<Op>::both(mine, part.measure());
  }
  const statistics all = across_row<P.block_size, P.block_size, combined<Op>>(mine);
  if (threadIdx.x > 0) return;
  float* to = found + 3LL * blockIdx.x;
  to[0] = all.count;
  to[1] = all.center;
  to[2] = all.sum;
}

/// The results of all parts. The same grid.
template <class T, operation Op, split_params P>
__global__ void __launch_bounds__(P.block_size)
    split(const T* in, const T* weight, const T* bias, T* out, const float* found, matrix of) {
  const part_of_row<P> here(of);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  statistics all = of_none<Op>();
  const float* of_row = found + blockIdx.x / P.parts * (3LL * P.parts);
  for (int p = lane; p < P.parts; p += 32)
    all = combined<Op>::both(all, {of_row[3 * p], of_row[3 * p + 1], of_row[3 * p + 2]});
  all = across_lanes<32, combined<Op>>(all);
  const float factor = factor_of<Op>(all.sum, of);

  held_row<Op, T, P.unroll, P.vector_width> part;
  for (int c = here.first + static_cast<int>(threadIdx.x) * P.vector_width; c < here.end;
       c += here.kStride * P.unroll) {
    const held_columns columns{c, here.kStride, here.end};
    part.load(in + here.begin, columns);
    part.take_exponentials(all.center);
    part.store(out + here.begin, columns, all.center, factor, weight, bias);
  }
}

}  // namespace warpwright::rows
