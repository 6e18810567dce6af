// convolution/constant: the filter lies in constant memory; a thread keeps the sums of its pixels in registers.
#pragma once

#include "kernels/convolution/border.cuh"
#include "kernels/convolution/filter.cuh"

namespace warpwright::convolution {

/// The largest filter for which a thread holds a whole row of pixels; for larger ones it holds `held_taps` at a time.
inline constexpr int widest_row = 9;
inline constexpr int held_taps = 8;

struct constant_params {
  int block_x = 32;
  int block_y = 4;
  int rows_per_thread = 4;
  int vector_width = 1;  ///< columns per thread, and pixels per access to the image
  int unroll = 1;        ///< steps down the image per iteration; 0: all of them, for filters up to widest_row
  bool operator==(const constant_params&) const = default;
};

/// How a thread walks over the pixels that its sums need: row by row, in steps of `taps` columns. It starts `lead`
/// columns left of its first tap, at an aligned vector.
template <int Filter, constant_params P>
struct constant_walk {
  static constexpr int radius = Filter / 2;
  static constexpr int reach = (radius + P.vector_width - 1) / P.vector_width * P.vector_width;
  static constexpr int lead = reach - radius;
  static constexpr int taps = Filter <= widest_row ? lead + Filter : held_taps;
  static constexpr int vectors = (taps + 2 * P.vector_width - 2) / P.vector_width;
  static constexpr int steps_per_row = (lead + Filter + taps - 1) / taps;
  static constexpr int rows = P.rows_per_thread + Filter - 1;
  static constexpr int columns = (steps_per_row - 1) * taps + vectors * P.vector_width;
  static constexpr int steps = rows * steps_per_row;
  static_assert(steps_per_row == 1 || taps % P.vector_width == 0, "every step starts at an aligned vector");
};

template <class T, int Filter, constant_params P>
using constant_pixels = vec<vec<T, P.vector_width>, constant_walk<Filter, P>::vectors>;

template <class T, constant_params P>
using constant_sums = vec<vec<T, P.vector_width>, P.rows_per_thread>;

/// Loads the pixels of a step; `first` is the start of the walk.
template <int Filter, constant_params P, class T>
__device__ __forceinline__ constant_pixels<T, Filter, P> load_step(const T* first, long long columns, int step) {
  using walk = constant_walk<Filter, P>;
  const T* from = first + step / walk::steps_per_row * columns + step % walk::steps_per_row * walk::taps;
  constant_pixels<T, Filter, P> pixels;
#pragma unroll
  for (int i = 0; i < walk::vectors; ++i) pixels[i] = load_vector<P.vector_width>(from + i * P.vector_width);
  return pixels;
}

/// Adds the contribution of a step's pixels to the sums: for the thread's row i, row `row` of the walk belongs to row
/// `row - i` of the filter.
template <int Filter, constant_params P, class T>
__device__ __forceinline__ void add_step(constant_sums<T, P>& sums, const constant_pixels<T, Filter, P>& pixels,
                                         int step) {
  using walk = constant_walk<Filter, P>;
  const auto& filter = filter_values<T, Filter * Filter>;
  const int row = step / walk::steps_per_row;
  const int first_tap = step % walk::steps_per_row * walk::taps - walk::lead;
#pragma unroll
  for (int u = 0; u < walk::taps; ++u) {
    const int j = first_tap + u;
    if (j < 0 || j >= Filter) continue;
#pragma unroll
    for (int c = 0; c < P.rows_per_thread; ++c) {
      const int i = row - c;
      if (i < 0 || i >= Filter) continue;
      const T weight = filter[i * Filter + j];
#pragma unroll
      for (int v = 0; v < P.vector_width; ++v) {
        const int at = u + v;
        sums[c][v] = fma(weight, pixels[at / P.vector_width][at % P.vector_width], sums[c][v]);
      }
    }
  }
}

/// The sums of a thread whose pixels all lie within the image. The next step is loaded before the current one is added.
template <int Filter, constant_params P, class T>
__device__ __forceinline__ constant_sums<T, P> inner_sums(const T* first, long long columns) {
  using walk = constant_walk<Filter, P>;
  constexpr int kUnroll = P.unroll == 0 ? walk::steps : P.unroll;
  constant_sums<T, P> sums{};
  constant_pixels<T, Filter, P> held = load_step<Filter, P>(first, columns, 0);
#pragma unroll kUnroll
  for (int step = 1; step < walk::steps; ++step) {
    const constant_pixels<T, Filter, P> next = load_step<Filter, P>(first, columns, step);
    add_step<Filter, P>(sums, held, step - 1);
    held = next;
  }
  add_step<Filter, P>(sums, held, walk::steps - 1);
  return sums;
}

/// The sums of a thread some of whose pixels lie outside the image; `row` and `column` are its first pixel.
template <border Border, int Filter, constant_params P, class T>
__device__ __forceinline__ constant_sums<T, P> edge_sums(const T* image, long long row, long long column,
                                                         long long rows, long long columns) {
  constexpr int kRadius = Filter / 2;
  const auto& filter = filter_values<T, Filter * Filter>;
  constant_sums<T, P> sums{};
#pragma unroll 1
  for (int tap = 0; tap < Filter * Filter; ++tap) {
    const long long down = row + tap / Filter - kRadius;
    const long long right = column + tap % Filter - kRadius;
    const T weight = filter[tap];
#pragma unroll
    for (int c = 0; c < P.rows_per_thread; ++c)
#pragma unroll
      for (int v = 0; v < P.vector_width; ++v)
        sums[c][v] = add_tap<Border>(sums[c][v], weight, image, down + c, right + v, rows, columns);
  }
  return sums;
}

/// out[y][x] = sum over i, j of filter[i][j] * image[y + i - r][x + j - r], r = Filter / 2, for a row-major rows x
/// columns image. Grid: one block per tile of block_y * rows_per_thread rows and block_x * vector_width columns,
/// numbered row by row.
template <class T, border Border, int Filter, constant_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    constant(const T* __restrict__ image, T* __restrict__ out, long long rows, long long columns) {
  using walk = constant_walk<Filter, P>;
  constexpr int kVector = P.vector_width;
  const long long tiles = (columns + P.block_x * kVector - 1) / (P.block_x * kVector);
  const long long row = (blockIdx.x / tiles * P.block_y + threadIdx.y) * P.rows_per_thread;
  const long long column = (blockIdx.x % tiles * P.block_x + threadIdx.x) * kVector;
  if (row >= rows || column >= columns) return;

  const bool is_aligned = columns % kVector == 0;
  if (is_aligned && lies_within(row - walk::radius, walk::rows, rows) &&
      lies_within(column - walk::reach, walk::columns, columns)) {
    const T* first = image + (row - walk::radius) * columns + column - walk::reach;
    const constant_sums<T, P> sums = inner_sums<Filter, P>(first, columns);
#pragma unroll
    for (int c = 0; c < P.rows_per_thread; ++c) store_vector(out + (row + c) * columns + column, sums[c]);
  } else {
    const constant_sums<T, P> sums = edge_sums<Border, Filter, P>(image, row, column, rows, columns);
#pragma unroll
    for (int c = 0; c < P.rows_per_thread; ++c)
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (row + c < rows && column + v < columns) out[(row + c) * columns + column + v] = sums[c][v];
  }
}

}  // namespace warpwright::convolution
