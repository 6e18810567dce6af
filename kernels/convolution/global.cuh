// convolution/global: every thread reads its pixels and the filter from global memory, tap by tap.
#pragma once

#include "kernels/block/tile_place.cuh"
#include "kernels/convolution/border.cuh"

namespace warpwright::convolution {

struct global_params {
  int block_x = 32;
  int block_y = 4;
  int rows_per_thread = 2;
  int unroll = 1;  ///< taps of a filter row in flight together
  bool operator==(const global_params&) const = default;
};

/// out[y][x] = sum over i, j of filter[i][j] * image[y + i - r][x + j - r], r = Filter / 2, for a row-major rows x
/// columns image. Grid: one block per tile of block_y * rows_per_thread rows and block_x columns, numbered row by row.
template <class T, border Border, int Filter, global_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    global(const T* __restrict__ image, const T* __restrict__ filter, T* __restrict__ out, long long rows,
           long long columns) {
  constexpr int kRadius = Filter / 2;
  constexpr int kUnroll = P.unroll;
  const block::tile_place tile = block::place_of_block((columns + P.block_x - 1) / P.block_x);
  const long long row = (tile.row * P.block_y + threadIdx.y) * P.rows_per_thread;
  const long long column = tile.column * P.block_x + threadIdx.x;
  if (row >= rows || column >= columns) return;

  const bool is_inner = lies_within(row - kRadius, P.rows_per_thread + Filter - 1, rows) &&
                        lies_within(column - kRadius, Filter, columns);
  T sums[P.rows_per_thread] = {};
#pragma unroll 1
  for (int i = 0; i < Filter; ++i)
#pragma unroll kUnroll
    for (int j = 0; j < Filter; ++j) {
      const T weight = filter[i * Filter + j];
#pragma unroll
      for (int c = 0; c < P.rows_per_thread; ++c) {
        const long long down = row + c + i - kRadius;
        const long long right = column + j - kRadius;
        if (is_inner)
          sums[c] = fma(weight, image[down * columns + right], sums[c]);
        else
          sums[c] = add_tap<Border>(sums[c], weight, image, down, right, rows, columns);
      }
    }
#pragma unroll
  for (int c = 0; c < P.rows_per_thread; ++c)
    if (row + c < rows) out[(row + c) * columns + column] = sums[c];
}

}  // namespace warpwright::convolution
