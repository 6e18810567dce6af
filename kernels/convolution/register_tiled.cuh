// convolution/register_tiled: a thread rolls down some columns; of every row of the filter it has one sum a column.
#pragma once

#include "kernels/convolution/border.cuh"
#include "kernels/convolution/filter.cuh"

namespace warpwright::convolution {

/// Where a thread has the filter.
enum class weights { constant, registers };

struct register_tiled_params {
  int block_x = 32;
  int block_y = 4;
  int coarsening = 16;   ///< rows of a thread
  int columns = 8;       ///< columns of a thread
  int vector_width = 1;  ///< pixels per access
  int ahead = 1;         ///< rows that are loaded before they are needed
  int unroll = 1;        ///< rows in one iteration
  weights filter_in = weights::constant;
  bool skips = false;  ///< what is part of no output of the thread is left out, at a branch for each row of the filter
  bool operator==(const register_tiled_params&) const = default;
};

/// The part of a row that a thread needs. It starts `lead` columns left of its first tap, where vectors are aligned.
template <int Filter, register_tiled_params P>
struct rolling_row {
  static constexpr int radius = Filter / 2;
  static constexpr int reach = (radius + P.vector_width - 1) / P.vector_width * P.vector_width;
  static constexpr int lead = reach - radius;
  static constexpr int vectors = (lead + P.columns + Filter - 1 + P.vector_width - 1) / P.vector_width;
  static constexpr int width = vectors * P.vector_width;
};

template <class T, int Filter, register_tiled_params P>
using rolling_pixels = vec<vec<T, P.vector_width>, rolling_row<Filter, P>::vectors>;

/// Of every row of the filter, the sums of a thread's columns up to that row.
template <class T, int Filter, register_tiled_params P>
using rolling_sums = vec<vec<T, P.columns>, Filter>;

/// The filter where P has it.
template <class T, int Filter, register_tiled_params P>
struct held_weights {
  vec<T, P.filter_in == weights::registers ? Filter * Filter : 1> own;

  __device__ __forceinline__ explicit held_weights(const T* filter) {
    if constexpr (P.filter_in == weights::registers) {
#pragma unroll
      for (int tap = 0; tap < Filter * Filter; ++tap) own[tap] = filter[tap];
    }
  }
  __device__ __forceinline__ T operator[](int tap) const {
    if constexpr (P.filter_in == weights::registers)
      return own[tap];
    else
      return filter_values<T, Filter * Filter>[tap];
  }
};

/// The pixels that a thread whose first column is `column` needs of a row, which may lie around the image.
template <border Border, int Filter, register_tiled_params P, class T>
__device__ __forceinline__ rolling_pixels<T, Filter, P> load_row(bool is_inner, const T* image, long long row,
                                                                 long long column, long long rows, long long columns) {
  using own = rolling_row<Filter, P>;
  constexpr int kVector = P.vector_width;
  rolling_pixels<T, Filter, P> pixels;
  if (is_inner) {
    const T* from = image + row * columns + column - own::reach;
#pragma unroll
    for (int i = 0; i < own::vectors; ++i) pixels[i] = load_vector_readonly<kVector>(from + i * kVector);
  } else {
#pragma unroll
    for (int w = 0; w < own::width; ++w)
      pixels[w / kVector][w % kVector] = pixel_at<Border>(image, row, column - own::reach + w, rows, columns);
  }
  return pixels;
}

/// Adds row `step` of the pixels that `outputs` rows of outputs need: what was the sum up to row i - 1 of the filter
/// becomes that up to row i, one row further down.
template <int Filter, register_tiled_params P, class T>
__device__ __forceinline__ void add_row(rolling_sums<T, Filter, P>& sums, const rolling_pixels<T, Filter, P>& pixels,
                                        const held_weights<T, Filter, P>& filter, int step, int outputs) {
#pragma unroll
  for (int i = Filter - 1; i >= 0; --i) {
    if (P.skips && static_cast<unsigned>(step - i) >= static_cast<unsigned>(outputs)) continue;
#pragma unroll
    for (int j = 0; j < Filter; ++j) {
      const T weight = filter[i * Filter + j];
#pragma unroll
      for (int c = 0; c < P.columns; ++c) {
        const int w = rolling_row<Filter, P>::lead + c + j;
        const T before = j > 0 ? sums[i][c] : i > 0 ? sums[i - 1][c] : T(0);
        sums[i][c] = fma(weight, pixels[w / P.vector_width][w % P.vector_width], before);
      }
    }
  }
}

/// out[at], ... = a thread's sums of a row, of which so many lie within the image.
template <register_tiled_params P, class T>
__device__ __forceinline__ void store_row(T* to, const vec<T, P.columns>& sums, bool is_inner, long long count) {
  constexpr int kVector = P.vector_width;
#pragma unroll
  for (int c = 0; c < P.columns; c += kVector) {
    vec<T, kVector> part;
#pragma unroll
    for (int v = 0; v < kVector; ++v) part[v] = sums[c + v];
    if (is_inner) {
      store_vector(to + c, part);
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (c + v < count) to[c + v] = part[v];
    }
  }
}

/// Whether the filter holds an infinity or a NaN, which make a NaN of a pixel of 0; asked by a whole warp.
template <int Count, class T>
__device__ __forceinline__ bool has_special_weights(const T* filter) {
  bool is_special = false;
#pragma unroll 1
  for (int tap = static_cast<int>(threadIdx.x) % 32; tap < Count; tap += 32)
    is_special = is_special || !(filter[tap] * T(0) == T(0));
  return __any_sync(0xffffffffU, is_special);
}

/// The outputs of a thread pixel by pixel, with nothing but the taps that lie on one.
template <border Border, int Filter, register_tiled_params P, class T>
__device__ void tap_by_tap(const T* image, const T* filter, T* out, long long row, long long column, long long rows,
                           long long columns) {
#pragma unroll 1
  for (long long y = row; y < min(row + P.coarsening, rows); ++y)
#pragma unroll 1
    for (long long x = column; x < min(column + P.columns, columns); ++x) {
      T sum = 0;
#pragma unroll 1
      for (int tap = 0; tap < Filter * Filter; ++tap)
        sum = add_tap<Border>(sum, filter[tap], image, y + tap / Filter - Filter / 2, x + tap % Filter - Filter / 2,
                              rows, columns);
      out[y * columns + x] = sum;
    }
}

/// out[y][x] = sum over i, j of filter[i][j] * image[y + i - r][x + j - r], r = Filter / 2, for a row-major rows x
/// columns image. A thread keeps, of the outputs that the current row of pixels is part of, the sums so far: each row
/// of pixels takes them one row of the filter further and ends one row of outputs. Grid: one block per tile of block_y
/// * coarsening rows and block_x * columns columns, numbered along rows first.
template <class T, border Border, int Filter, register_tiled_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    register_tiled(const T* __restrict__ image, const T* __restrict__ filter, T* __restrict__ out, long long rows,
                   long long columns) {
  using own = rolling_row<Filter, P>;
  constexpr int kAhead = P.ahead;
  constexpr int kUnroll = P.unroll;
  const long long tiles = (columns + P.block_x * P.columns - 1) / (P.block_x * P.columns);
  const long long row = (blockIdx.x / tiles * P.block_y + threadIdx.y) * P.coarsening;
  const long long column = (blockIdx.x % tiles * P.block_x + threadIdx.x) * P.columns;
  if (row >= rows) return;

  const bool is_inner = columns % P.vector_width == 0 &&
                        lies_within(row - own::radius, P.coarsening + Filter - 1, rows) &&
                        lies_within(column - own::reach, own::width, columns);
  if (Border == border::zero && __any_sync(0xffffffffU, !is_inner) && has_special_weights<Filter * Filter>(filter) &&
      !is_inner)
    return tap_by_tap<Border, Filter, P>(image, filter, out, row, column, rows, columns);
  if (column >= columns) return;

  const int steps = static_cast<int>(min(static_cast<long long>(P.coarsening), rows - row)) + Filter - 1;
  const auto load = [&](int step) {
    return load_row<Border, Filter, P>(is_inner, image, row - own::radius + min(step, steps - 1), column, rows,
                                       columns);
  };
  const held_weights<T, Filter, P> weights_of(filter);
  rolling_sums<T, Filter, P> sums{};
  rolling_pixels<T, Filter, P> held[kAhead + 1];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) held[i] = load(i);
#pragma unroll kUnroll
  for (int step = 0; step < steps; ++step) {
    held[kAhead] = load(step + kAhead);
    add_row<Filter, P, T>(sums, held[0], weights_of, step, steps - (Filter - 1));
#pragma unroll
    for (int i = 0; i < kAhead; ++i) held[i] = held[i + 1];
    const int ended = step - (Filter - 1);
    if (ended >= 0)
      store_row<P, T>(out + (row + ended) * columns + column, sums[Filter - 1], is_inner, columns - column);
  }
}

}  // namespace warpwright::convolution
