// convolution/separable: for a filter that is the outer product of a column and a row. The rows are convolved first,
// then the columns of the result.
#pragma once

#include "kernels/convolution/border.cuh"

namespace warpwright::convolution {

struct separable_params {
  int block_x = 64;
  int block_y = 4;
  int coarsening = 4;  ///< pixels per thread: first in a row, block_x apart, then in a column
  int unroll = 1;      ///< taps per iteration
  bool operator==(const separable_params&) const = default;
};

/// Threads of the block that separates a filter into factors.
inline constexpr int separating_threads = 128;

/// filter[i][j] = factors[i] * factors[Filter + j] for a filter that is an outer product of finite numbers. The factors
/// are the column through one of its largest taps, and the row through it divided by that tap. One block.
template <class T, int Filter>
__global__ void __launch_bounds__(separating_threads) separate(const T* __restrict__ filter, T* __restrict__ factors) {
  static_assert(Filter <= separating_threads, "a thread for each factor");
  __shared__ T largest[separating_threads];
  __shared__ int places[separating_threads];
  const int thread = static_cast<int>(threadIdx.x);
  T size = 0;
  int place = 0;
  for (int tap = thread; tap < Filter * Filter; tap += separating_threads)
    if (fabs(filter[tap]) > size) {
      size = fabs(filter[tap]);
      place = tap;
    }
  largest[thread] = size;
  places[thread] = place;
  __syncthreads();
  int best = 0;
  for (int other = 1; other < separating_threads; ++other)
    if (largest[other] > largest[best]) best = other;
  if (thread >= Filter) return;
  const int pivot = places[best];
  factors[thread] = filter[thread * Filter + pivot % Filter];
  factors[Filter + thread] = largest[best] > 0 ? filter[pivot / Filter * Filter + thread] / filter[pivot] : T(0);
}

/// between[y][x] = sum over j of across[j] * image[y][x + j - r], r = Filter / 2. Grid: one block per tile of block_y
/// rows and block_x * coarsening columns, numbered row by row.
template <class T, border Border, int Filter, separable_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    along_rows(const T* __restrict__ image, const T* __restrict__ factors, T* __restrict__ between, long long rows,
               long long columns) {
  constexpr int kTile = P.block_x * P.coarsening;
  constexpr int kWidth = kTile + Filter - 1;
  constexpr int kUnroll = P.unroll;
  __shared__ T pixels[P.block_y][kWidth];
  __shared__ T across[Filter];
  const long long tiles = (columns + kTile - 1) / kTile;
  const long long row = blockIdx.x / tiles * P.block_y + threadIdx.y;
  const long long left = blockIdx.x % tiles * kTile;
  const int thread = static_cast<int>(threadIdx.x);
  for (int j = static_cast<int>(threadIdx.y) * P.block_x + thread; j < Filter; j += P.block_x * P.block_y)
    across[j] = factors[Filter + j];
  for (int x = thread; x < kWidth; x += P.block_x)
    pixels[threadIdx.y][x] = pixel_at<Border>(image, row, left + x - Filter / 2, rows, columns);
  __syncthreads();
  if (row >= rows) return;

  T sums[P.coarsening] = {};
#pragma unroll kUnroll
  for (int j = 0; j < Filter; ++j)
#pragma unroll
    for (int c = 0; c < P.coarsening; ++c)
      sums[c] = fma(across[j], pixels[threadIdx.y][thread + c * P.block_x + j], sums[c]);
#pragma unroll
  for (int c = 0; c < P.coarsening; ++c) {
    const long long column = left + thread + c * P.block_x;
    if (column < columns) between[row * columns + column] = sums[c];
  }
}

/// out[y][x] = sum over i of down[i] * between[y + i - r][x]. Grid: one block per tile of block_y * coarsening rows and
/// block_x columns, numbered row by row.
template <class T, border Border, int Filter, separable_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    along_columns(const T* __restrict__ between, const T* __restrict__ factors, T* __restrict__ out, long long rows,
                  long long columns) {
  constexpr int kUnroll = P.unroll;
  __shared__ T down[Filter];
  for (int i = static_cast<int>(threadIdx.y * P.block_x + threadIdx.x); i < Filter; i += P.block_x * P.block_y)
    down[i] = factors[i];
  __syncthreads();
  const long long tiles = (columns + P.block_x - 1) / P.block_x;
  const long long row = (blockIdx.x / tiles * P.block_y + threadIdx.y) * P.coarsening;
  const long long column = blockIdx.x % tiles * P.block_x + threadIdx.x;
  if (row >= rows || column >= columns) return;

  T sums[P.coarsening] = {};
#pragma unroll kUnroll
  for (int step = 0; step < P.coarsening + Filter - 1; ++step) {
    const T pixel = pixel_at<Border>(between, row + step - Filter / 2, column, rows, columns);
#pragma unroll
    for (int c = 0; c < P.coarsening; ++c) {
      const int i = step - c;
      if (i >= 0 && i < Filter) sums[c] = fma(down[i], pixel, sums[c]);
    }
  }
#pragma unroll
  for (int c = 0; c < P.coarsening; ++c)
    if (row + c < rows) out[(row + c) * columns + column] = sums[c];
}

}  // namespace warpwright::convolution
