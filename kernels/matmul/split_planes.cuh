// Splits floats into three bfloat16 numbers each, whose sum they are: planes of a matrix, for products on matrix units.
#pragma once

#include "kernels/matmul/product.cuh"
#include "kernels/runtime/programmatic.cuh"

namespace warpwright::matmul {

/// The bits of the bfloat16 nearest to a finite float; ties go to the even one.
__device__ __forceinline__ unsigned nearest_bfloat16(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

inline constexpr int kPlanes = 3;

/// A matrix in memory, and its padded size in the planes: multiples of tiles, so that no tile is at an edge.
struct plane_extents {
  long long rows, columns, pitch;
  long long padded_rows, padded_columns;
};

/// Whether the planes lose nothing of a number, and products of such numbers no more than floats do. Zero may be split;
/// infinities, NaN, large and tiny numbers may not.
__device__ __forceinline__ bool may_be_split(float value) {
  const float size = fabsf(value);
  return value == 0 || (size >= 0x1p-60f && size <= 0x1p60f);
}

/// What the launches of a product tell each other; 0 before and after each product.
struct split_state {
  int unfit;       ///< 1: some element may not be split
  unsigned ended;  ///< blocks of the fallback that have ended
};

/// Notes that an element may not be split. The launch before may do so too, and must be complete first.
__device__ __forceinline__ void note_unfit(split_state* state) {
  wait_for_previous_launch();
  atomicExch(&state->unfit, 1);
}

/// The nearest bfloat16 numbers; the values become what is left of them.
template <int Count>
__device__ __forceinline__ vec<unsigned short, Count> next_parts(vec<float, Count>& values) {
  vec<unsigned short, Count> parts;
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    const unsigned part = nearest_bfloat16(values[i]);
    parts[i] = static_cast<unsigned short>(part);
    values[i] -= __uint_as_float(part << 16);
  }
  return parts;
}

/// planes[p][row][column] = the p-th part of the element: the nearest bfloat16, that of the rest, and what is left,
/// which are 8 bits of it each. Elements behind the matrix are 0. Each thread splits `Together` neighbours of a row, of
/// which the padded columns are a multiple. The state becomes unfit if an element may not be split. The launch may run
/// beside the one before it, and ends after it.
template <int Together>
__global__ void split_planes(const float* __restrict__ from, unsigned short* planes, plane_extents e,
                             split_state* state) {
  let_next_launch_begin();
  const long long at = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * Together;
  if (at >= e.padded_rows * e.padded_columns) return;
  const long long row = at / e.padded_columns;
  const long long column = at % e.padded_columns;
  const float* const of = from + row * e.pitch + column;
  vec<float, Together> values;
  if (row < e.rows && column + Together <= e.columns && e.pitch % Together == 0) {
    values = load_vector<Together>(of);
  } else {
#pragma unroll
    for (int i = 0; i < Together; ++i) values[i] = row < e.rows && column + i < e.columns ? of[i] : 0.0f;
  }
  bool fits = true;
#pragma unroll
  for (int i = 0; i < Together; ++i) fits = fits && may_be_split(values[i]);
  if (!fits) note_unfit(state);
#pragma unroll
  for (int plane = 0; plane < kPlanes; ++plane)
    store_vector(planes + plane * e.padded_rows * e.padded_columns + at, next_parts(values));
  wait_for_previous_launch();
}

}  // namespace warpwright::matmul
