// rows/thread_per_row: each thread reads its row once for each pass, and once more for the results.
#pragma once

#include "kernels/rows/operation.cuh"

namespace warpwright::rows {

struct thread_per_row_params {
  int block_size = 128;
  int unroll = 4;
  bool operator==(const thread_per_row_params&) const = default;
};

/// Grid: one thread per row.
template <class T, operation Op, thread_per_row_params P>
__global__ void __launch_bounds__(P.block_size)
    thread_per_row(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kUnroll = P.unroll;
  const long long row = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (row >= of.rows) return;
  const T* from = in + row * of.columns;

  float first = kFirst<Op>;
#pragma unroll kUnroll
  for (int c = 0; kHasCenter<Op> && c < of.columns; ++c) first = joined<Op>(first, to_float(from[c]));
  const float center = center_of<Op>(first, of.columns);

  float sum = 0;
#pragma unroll kUnroll
  for (int c = 0; c < of.columns; ++c) sum += term_of<Op>(to_float(from[c]), center);
  const float factor = factor_of<Op>(sum, of);

#pragma unroll kUnroll
  for (int c = 0; c < of.columns; ++c)
    out[row * of.columns + c] = result_of<Op>(to_float(from[c]), center, factor, weight, bias, c);
}

}  // namespace warpwright::rows
