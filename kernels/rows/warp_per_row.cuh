// rows/warp_per_row: the lanes of a warp stride over its row, once for each pass and once more for the results.
#pragma once

#include "kernels/rows/passes.cuh"

namespace warpwright::rows {

struct warp_per_row_params {
  int block_size = 128;
  int unroll = 4;
  bool operator==(const warp_per_row_params&) const = default;
};

/// Grid: one warp per row.
template <class T, operation Op, warp_per_row_params P>
__global__ void __launch_bounds__(P.block_size)
    warp_per_row(const T* in, const T* weight, const T* bias, T* out, matrix of) {
  constexpr int kUnroll = P.unroll;
  const long long row = static_cast<long long>(blockIdx.x) * (P.block_size / 32) + threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (row >= of.rows) return;
  const T* from = in + row * of.columns;

  float first = kFirst<Op>;
#pragma unroll kUnroll
  for (int c = lane; kHasCenter<Op> && c < of.columns; c += 32) first = joined<Op>(first, to_float(from[c]));
  if constexpr (kHasCenter<Op>) first = across_lanes<32, first_pass<Op>>(first);
  const float center = center_of<Op>(first, of.columns);

  float sum = 0;
#pragma unroll kUnroll
  for (int c = lane; c < of.columns; c += 32) sum += term_of<Op>(to_float(from[c]), center);
  const float factor = factor_of<Op>(across_lanes<32, second_pass>(sum), of);

#pragma unroll kUnroll
  for (int c = lane; c < of.columns; c += 32)
    out[row * of.columns + c] = result_of<Op>(to_float(from[c]), center, factor, weight, bias, c);
}

}  // namespace warpwright::rows
