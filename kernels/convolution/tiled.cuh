// convolution/tiled: a block keeps its tile of the image, with a halo around it, in shared memory.
#pragma once

#include "kernels/convolution/border.cuh"
#include "kernels/convolution/filter.cuh"

namespace warpwright::convolution {

struct tiled_params {
  int tile_x = 32;
  int tile_y = 16;
  int rows_per_thread = 4;
  int bank_pad = 0;  ///< pixels added to each row of the tile
  int unroll = 1;    ///< rows of pixels per iteration; 0: all of them, for filters up to widest_unrolled
  bool operator==(const tiled_params&) const = default;
};

/// The largest filter for which all rows are unrolled.
inline constexpr int widest_unrolled = 9;

/// Taps of a row of the filter that are unrolled together.
inline constexpr int unrolled_taps = 33;

/// Pixels of a row of the tile with its halo, and of all of it.
__host__ __device__ constexpr int halo_pitch(const tiled_params& p, int filter) {
  return p.tile_x + filter - 1 + p.bank_pad;
}
__host__ __device__ constexpr int halo_pixels(const tiled_params& p, int filter) {
  return halo_pitch(p, filter) * (p.tile_y + filter - 1);
}

/// out[y][x] = sum over i, j of filter[i][j] * image[y + i - r][x + j - r], r = Filter / 2, for a row-major rows x
/// columns image. Grid: one block of tile_x x (tile_y / rows_per_thread) threads per tile, numbered row by row; dynamic
/// shared memory for `halo_pixels`.
template <class T, border Border, int Filter, tiled_params P>
__global__ void __launch_bounds__(P.tile_x* P.tile_y / P.rows_per_thread)
    tiled(const T* __restrict__ image, T* __restrict__ out, long long rows, long long columns) {
  constexpr int kRadius = Filter / 2;
  constexpr int kPitch = halo_pitch(P, Filter);
  constexpr int kThreads = P.tile_x * P.tile_y / P.rows_per_thread;
  constexpr int kWidth = P.tile_x + Filter - 1;
  constexpr int kHeight = P.tile_y + Filter - 1;
  constexpr int kSteps = P.rows_per_thread + Filter - 1;
  constexpr int kUnroll = P.unroll == 0 ? kSteps : P.unroll;
  extern __shared__ __align__(16) unsigned char staging[];
  T* const tile = reinterpret_cast<T*>(staging);
  const auto& filter = filter_values<T, Filter * Filter>;
  const long long tiles = (columns + P.tile_x - 1) / P.tile_x;
  const long long top = blockIdx.x / tiles * P.tile_y;
  const long long left = blockIdx.x % tiles * P.tile_x;

  for (int at = static_cast<int>(threadIdx.y * P.tile_x + threadIdx.x); at < kWidth * kHeight; at += kThreads) {
    const int y = at / kWidth;
    const int x = at % kWidth;
    tile[y * kPitch + x] = pixel_at<Border>(image, top + y - kRadius, left + x - kRadius, rows, columns);
  }
  __syncthreads();

  // Taps outside the image are left out, whatever their value.
  const bool is_inner = Border == border::clamp ||
                        (lies_within(top - kRadius, kHeight, rows) && lies_within(left - kRadius, kWidth, columns));
  const int first = static_cast<int>(threadIdx.y) * P.rows_per_thread;
  const long long column = left + threadIdx.x;
  T sums[P.rows_per_thread] = {};
#pragma unroll kUnroll
  for (int step = 0; step < kSteps; ++step) {
    if (!is_inner && !lies_within(top + first + step - kRadius, 1, rows)) continue;
#pragma unroll unrolled_taps
    for (int j = 0; j < Filter; ++j) {
      if (!is_inner && !lies_within(column + j - kRadius, 1, columns)) continue;
      const T pixel = tile[(first + step) * kPitch + static_cast<int>(threadIdx.x) + j];
#pragma unroll
      for (int c = 0; c < P.rows_per_thread; ++c) {
        const int i = step - c;
        if (i >= 0 && i < Filter) sums[c] = fma(filter[i * Filter + j], pixel, sums[c]);
      }
    }
  }
#pragma unroll
  for (int c = 0; c < P.rows_per_thread; ++c)
    if (top + first + c < rows && column < columns) out[(top + first + c) * columns + column] = sums[c];
}

}  // namespace warpwright::convolution
