// convolution/register_tiled: a thread moves down some columns; for each column and each row of the filter it keeps one
// sum.
#pragma once

#include "kernels/block/cache_hints.cuh"
#include "kernels/convolution/border.cuh"
#include "kernels/convolution/filter.cuh"

namespace warpwright::convolution {

/// Where a thread keeps the filter.
enum class weights {
  constant,  ///< constant memory, written by a step of the plan
  registers  ///< registers of every thread
};

struct register_tiled_params {
  int block_x = 32;
  int block_y = 4;
  int rows_per_thread = 16;
  int columns = 8;       ///< columns per thread
  int vector_width = 1;  ///< pixels per access
  int ahead = 1;         ///< rows that are loaded ahead
  int unroll = 1;        ///< rows per iteration; 0: all rows of a thread
  weights filter_in = weights::constant;
  bool skips = false;  ///< leaves out products that are part of no output of the thread, in a second copy of the loop's
                       ///< body
  block::store_hint store = block::store_hint::plain;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  bool operator==(const register_tiled_params&) const = default;
};

/// Columns left of an output that are loaded for it: half of the filter, rounded up to whole vectors.
__host__ __device__ constexpr int reach_of(const register_tiled_params& p, int filter) {
  return (filter / 2 + p.vector_width - 1) / p.vector_width * p.vector_width;
}

/// Pixels of a row that a thread's output columns need, rounded up to whole vectors.
__host__ __device__ constexpr int pixels_under(const register_tiled_params& p, int filter) {
  const int needed = reach_of(p, filter) - filter / 2 + p.columns + filter - 1;
  return (needed + p.vector_width - 1) / p.vector_width * p.vector_width;
}

/// The part of a row that a thread needs. It starts `lead` columns left of its first tap, at an aligned vector.
template <int Filter, register_tiled_params P>
struct rolling_row {
  static constexpr int radius = Filter / 2;
  static constexpr int reach = reach_of(P, Filter);
  static constexpr int lead = reach - radius;
  static constexpr int width = pixels_under(P, Filter);
  static constexpr int vectors = width / P.vector_width;
};

template <class T, int Filter, register_tiled_params P>
using rolling_pixels = vec<vec<T, P.vector_width>, rolling_row<Filter, P>::vectors>;

/// For every row of the filter, the sums of a thread's columns up to that row.
template <class T, int Filter, register_tiled_params P>
using rolling_sums = vec<vec<T, P.columns>, Filter>;

/// The filter in the memory that was chosen; `row` returns a row of weights.
template <weights In, class T, int Filter>
struct held_weights {
  static_assert(In == weights::constant);
  __device__ __forceinline__ explicit held_weights(const T*) {}
  __device__ __forceinline__ vec<T, Filter> row(int i) const {
    vec<T, Filter> own;
#pragma unroll
    for (int j = 0; j < Filter; ++j) own[j] = filter_values<T, Filter * Filter>[i * Filter + j];
    return own;
  }
};

template <class T, int Filter>
struct held_weights<weights::registers, T, Filter> {
  vec<vec<T, Filter>, Filter> rows;

  __device__ __forceinline__ explicit held_weights(const T* filter) {
#pragma unroll
    for (int tap = 0; tap < Filter * Filter; ++tap) rows[tap / Filter][tap % Filter] = filter[tap];
  }
  __device__ __forceinline__ vec<T, Filter> row(int i) const {
    return rows[i];
  }
};

/// A warp's share of the image: the columns of its lanes, and the rows from its first output on.
template <class T>
struct warp_share {
  const T* image;
  long long first_row;  ///< first row of pixels, which may lie above the image
  long long column;     ///< of the lane
  long long columns;    ///< of the image
  int steps;            ///< rows of pixels
  int lowest, highest;  ///< the first and the last step whose row is in the image
  bool is_even;         ///< rows of the image begin where vectors do
  bool is_wide;         ///< its lanes need only whole vectors of a row, all inside the image
  bool is_inner;        ///< the same holds for all rows that the warp may need

  __device__ __forceinline__ bool has(int step) const { return step >= lowest && step <= highest; }
  /// Where a row of pixels begins in the image; for a row outside, the nearest row.
  __device__ __forceinline__ const T* row(int step) const {
    return image + (first_row + max(lowest, min(step, highest))) * columns;
  }
};

/// Rows of pixels that a thread reads from global memory. Inner: all of them lie in the image.
template <bool Inner, class T, border Border, int Filter, register_tiled_params P>
struct direct_rows {
  using own = rolling_row<Filter, P>;
  warp_share<T> share;
  const T* next;  ///< for an inner share

  __device__ __forceinline__ explicit direct_rows(const warp_share<T>& of)
      : share(of), next(of.row(0) + of.column - own::reach) {}

  /// The lane's pixels of a row; called for every step in order.
  __device__ __forceinline__ rolling_pixels<T, Filter, P> operator()(int step) {
    if constexpr (Inner) return inner_row(step, P.rows_per_thread + Filter - 1);
    return share.is_inner ? inner_row(step, share.steps) : any_row(step);
  }

 private:
  __device__ __forceinline__ rolling_pixels<T, Filter, P> inner_row(int step, int steps) {
    rolling_pixels<T, Filter, P> pixels{};
    if (step >= steps) return pixels;
#pragma unroll
    for (int i = 0; i < own::vectors; ++i) pixels[i] = load_vector_readonly<P.vector_width>(next + i * P.vector_width);
    next += share.columns;
    return pixels;
  }

  __device__ __forceinline__ rolling_pixels<T, Filter, P> any_row(int step) const {
    if (Border == border::zero && !share.has(step)) return {};
    const long long first = share.column - own::reach;
    rolling_pixels<T, Filter, P> pixels;
    const T* const from = share.row(step);
    if (share.is_wide) {
#pragma unroll
      for (int i = 0; i < own::vectors; ++i)
        pixels[i] = load_vector_readonly<P.vector_width>(from + first + i * P.vector_width);
    } else if (share.is_even) {
#pragma unroll
      for (int i = 0; i < own::vectors; ++i) pixels[i] = load_beside(from, first + i * P.vector_width);
    } else {
#pragma unroll
      for (int w = 0; w < own::width; ++w)
        pixels[w / P.vector_width][w % P.vector_width] = pixel_at<Border>(from, 0, first + w, 1, share.columns);
    }
    return pixels;
  }

  /// The vector at any position in or beside a row that consists of whole vectors.
  __device__ __forceinline__ vec<T, P.vector_width> load_beside(const T* from, long long at) const {
    constexpr int kLast = P.vector_width - 1;
    const bool is_inside = lies_within(at, P.vector_width, share.columns);
    const auto near = load_vector_readonly<P.vector_width>(from + max(0LL, min(at, share.columns - P.vector_width)));
    vec<T, P.vector_width> pixels;
#pragma unroll
    for (int v = 0; v <= kLast; ++v)
      pixels[v] = is_inside ? near[v] : Border == border::zero ? T(0) : at < 0 ? near[0] : near[kLast];
    return pixels;
  }
};

/// Adds row `step` of the pixels that `outputs` rows of outputs need. The sum up to row i - 1 of the filter becomes the
/// sum up to row i. `Skips` leaves out products that are part of no output.
template <bool Skips, int Filter, register_tiled_params P, class T>
__device__ __forceinline__ void add_row(rolling_sums<T, Filter, P>& sums, const rolling_pixels<T, Filter, P>& pixels,
                                        const held_weights<P.filter_in, T, Filter>& filter, int step, int outputs) {
#pragma unroll
  for (int i = Filter - 1; i >= 0; --i) {
    if (Skips && static_cast<unsigned>(step - i) >= static_cast<unsigned>(outputs)) continue;
    const auto weights_of_row = filter.row(i);
#pragma unroll
    for (int j = 0; j < Filter; ++j) {
      const T weight = weights_of_row[j];
#pragma unroll
      for (int c = 0; c < P.columns; ++c) {
        const int w = rolling_row<Filter, P>::lead + c + j;
        const T before = j > 0 ? sums[i][c] : i > 0 ? sums[i - 1][c] : T(0);
        sums[i][c] = fma(weight, pixels[w / P.vector_width][w % P.vector_width], before);
      }
    }
  }
}

/// out[at], ... = a thread's sums of a row; stores only those within the image.
template <register_tiled_params P, class T>
__device__ __forceinline__ void store_row(T* to, const vec<T, P.columns>& sums, bool is_whole, long long count) {
  constexpr int kVector = P.vector_width;
#pragma unroll
  for (int c = 0; c < P.columns; c += kVector) {
    vec<T, kVector> part;
#pragma unroll
    for (int v = 0; v < kVector; ++v) part[v] = sums[c + v];
    if (is_whole) {
      block::store_hinted<P.store>(to + c, part);
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (c + v < count) to[c + v] = part[v];
    }
  }
}

/// Whether the filter holds an infinity or a NaN, whose product with a pixel of 0 is NaN. Called by a whole warp.
template <int Count, class T>
__device__ __forceinline__ bool has_special_weights(const T* filter) {
  bool is_special = false;
#pragma unroll 1
  for (int tap = static_cast<int>(threadIdx.x) % 32; tap < Count; tap += 32)
    is_special = is_special || !(filter[tap] * T(0) == T(0));
  return __any_sync(0xffffffffU, is_special);
}

/// The outputs of a thread pixel by pixel; only taps on pixels are added.
template <border Border, int Filter, register_tiled_params P, class T>
__device__ void tap_by_tap(const T* image, const T* filter, T* out, long long row, long long column, long long rows,
                           long long columns) {
#pragma unroll 1
  for (long long y = row; y < min(row + P.rows_per_thread, rows); ++y)
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

/// Called by a warp: the outputs of its share, whose first row is `row`. load(step) returns a lane's pixels of a row.
/// Inner: the share lies in the image, and all rows are unrolled.
template <bool Inner, int Filter, register_tiled_params P, class T, class Rows>
__device__ __forceinline__ void roll_down(const warp_share<T>& share, long long row, Rows load,
                                          const held_weights<P.filter_in, T, Filter>& filter, T* __restrict__ out) {
  constexpr int kAhead = P.ahead;
  constexpr int kSteps = P.rows_per_thread + Filter - 1;
  constexpr int kUnroll = Inner ? kSteps : 1;
  const bool is_whole =
      Inner || __all_sync(0xffffffffU, share.is_even && share.column + P.columns <= share.columns) != 0;
  const int steps = Inner ? kSteps : share.steps;
  const int outputs = steps - (Filter - 1);
  T* to = out + row * share.columns + share.column;
  rolling_sums<T, Filter, P> sums{};
  rolling_pixels<T, Filter, P> held[kAhead + 1];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) held[i] = load(i);
#pragma unroll kUnroll
  for (int step = 0; step < steps; ++step) {
    held[kAhead] = load(step + kAhead);
    if (P.skips && (step < Filter - 1 || step >= outputs))
      add_row<true, Filter, P, T>(sums, held[0], filter, step, outputs);
    else
      add_row<false, Filter, P, T>(sums, held[0], filter, step, outputs);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) held[i] = held[i + 1];
    if (step < Filter - 1) continue;
    store_row<P, T>(to, sums[Filter - 1], is_whole, share.columns - share.column);
    to += share.columns;
  }
}

/// out[y][x] = sum over i, j of filter[i][j] * image[y + i - r][x + j - r], r = Filter / 2, for a row-major rows x
/// columns image. A thread keeps partial sums of all outputs to which the current row of pixels contributes. Each row
/// of pixels adds one row of the filter to each of them and completes one row of outputs. Grid: one block per tile of
/// block_y * rows_per_thread rows and block_x * columns columns, numbered row by row.
template <class T, border Border, int Filter, register_tiled_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y, P.min_blocks)
    register_tiled(const T* __restrict__ image, const T* __restrict__ filter, T* __restrict__ out, long long rows,
                   long long columns) {
  using own = rolling_row<Filter, P>;
  constexpr unsigned kAll = 0xffffffffU;
  // A warp is one row of threads: whatever depends on rows alone is the same for all lanes.
  const int warp_y = __shfl_sync(kAll, static_cast<int>(threadIdx.y), 0);
  const auto tiles = static_cast<unsigned>((columns + P.block_x * P.columns - 1) / (P.block_x * P.columns));
  const long long row = (static_cast<long long>(blockIdx.x / tiles) * P.block_y + warp_y) * P.rows_per_thread;
  const long long column = (static_cast<long long>(blockIdx.x % tiles) * P.block_x + threadIdx.x) * P.columns;
  const long long first_column = column - static_cast<int>(threadIdx.x) % 32 * P.columns;
  // Placed before any branch: ptxas then needs 32 registers for a filter of 3; placed later, it needs 46.
  const held_weights<P.filter_in, T, Filter> weights_of(filter);
  if (row >= rows || first_column >= columns) return;

  const bool is_even = columns % P.vector_width == 0;
  const bool is_wide = __all_sync(kAll, is_even && lies_within(column - own::reach, own::width, columns)) != 0;
  const bool is_inner = is_wide && lies_within(row - own::radius, P.rows_per_thread + Filter - 1, rows);
  if (Border == border::zero && !is_inner && has_special_weights<Filter * Filter>(filter))
    return tap_by_tap<Border, Filter, P>(image, filter, out, row, column, rows, columns);

  const int outputs = static_cast<int>(min(static_cast<long long>(P.rows_per_thread), rows - row));
  const int steps = outputs + Filter - 1;
  const long long first_row = row - own::radius;
  const warp_share<T> share{.image = image,
                            .first_row = first_row,
                            .column = column,
                            .columns = columns,
                            .steps = steps,
                            .lowest = static_cast<int>(max(-first_row, 0LL)),
                            .highest = static_cast<int>(min(rows - 1 - first_row, steps - 1LL)),
                            .is_even = is_even,
                            .is_wide = is_wide,
                            .is_inner = is_inner};
  if (P.unroll == 0 && is_inner) {
    roll_down<true, Filter, P>(share, row, direct_rows<true, T, Border, Filter, P>(share), weights_of, out);
  } else {
    roll_down<false, Filter, P>(share, row, direct_rows<false, T, Border, Filter, P>(share), weights_of, out);
  }
}

}  // namespace warpwright::convolution
