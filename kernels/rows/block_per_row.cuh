// rows/block_per_row: the threads of a block stride over its row, which they read again in every pass or keep in shared
// memory.
#pragma once

#include "kernels/rows/passes.cuh"

namespace warpwright::rows {

struct block_per_row_params {
  int block_size = 256;
  int unroll = 4;
  bool keep = true;  ///< the row is kept in shared memory, as floats
  bool operator==(const block_per_row_params&) const = default;
};

/// Grid: one block per row. Dynamic shared memory, if P.keep: a row of floats. Each thread reads there only what it
/// wrote.
template <class T, operation Op, block_per_row_params P>
__global__ void __launch_bounds__(P.block_size)
    block_per_row(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kUnroll = P.unroll;
  extern __shared__ float kept[];
  const T* from = in + blockIdx.x * static_cast<long long>(of.columns);
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (P.keep) {
#pragma unroll kUnroll
    for (int c = thread; c < of.columns; c += P.block_size) kept[c] = to_float(from[c]);
  }
  const auto element = [&](int c) { return P.keep ? kept[c] : to_float(from[c]); };

  float first = kFirst<Op>;
#pragma unroll kUnroll
  for (int c = thread; kHasCenter<Op> && c < of.columns; c += P.block_size) first = joined<Op>(first, element(c));
  if constexpr (kHasCenter<Op>) first = across_row<P.block_size, P.block_size, first_pass<Op>>(first);
  const float center = center_of<Op>(first, of.columns);

  float sum = 0;
#pragma unroll kUnroll
  for (int c = thread; c < of.columns; c += P.block_size) sum += term_of<Op>(element(c), center);
  const float factor = factor_of<Op>(across_row<P.block_size, P.block_size, second_pass>(sum), of);

#pragma unroll kUnroll
  for (int c = thread; c < of.columns; c += P.block_size)
    out[blockIdx.x * static_cast<long long>(of.columns) + c] =
        result_of<Op>(element(c), center, factor, weight, bias, c);
}

}  // namespace warpwright::rows
