// Splits floats into planes of bfloat16 numbers that lie as tiles of them do in shared memory: so one bulk copy brings
// a tile of a plane, ready for wgmma.
#pragma once

#include "kernels/matmul/split_planes.cuh"
#include "kernels/runtime/common/shared_matrices.cuh"

namespace warpwright::matmul {

/// Terms of a row in the planes: 64 bytes.
inline constexpr int kTermsOfRow = 32;

/// planes[k / 32][p][place][k % 32] = the p-th part of an element, where places are rows of A or columns of B; the
/// 16-byte chunks of a row change places with each other, as a 64-byte swizzle has them. In memory, terms are
/// neighbours (IsAlongTerms), or places are. `e` has places as rows, and terms as columns; elements behind the matrix
/// are 0. Each thread splits 8 terms of a place; padded_rows is a multiple of 16, padded_columns of 32. The state
/// becomes unfit if an element may not be split. Grid: enough threads in x for the padded rows, and a block in y for
/// each slice of 32 terms. The launch may run beside the one before it, and ends after it.
template <bool IsAlongTerms>
__global__ void split_tiles(const float* __restrict__ from, unsigned short* planes, plane_extents e,
                            split_state* state) {
  let_next_launch_begin();
  constexpr int kTogether = 8;
  constexpr int kChunks = kTermsOfRow / kTogether;
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x, slice = blockIdx.y;
  if (at >= e.padded_rows * kChunks) return;
  // A warp reads 8 rows of 128 bytes, or 16 rows of 64 bytes; it stores whole sectors of 32 bytes.
  const auto chunk = static_cast<int>(IsAlongTerms ? at % kChunks : at % 2 + at / 32 % 2 * 2);
  const long long place = IsAlongTerms ? at / kChunks : at / 64 * 16 + at / 2 % 16;
  const long long term = slice * kTermsOfRow + chunk * kTogether;
  vec<float, kTogether> values;
  if (IsAlongTerms && place < e.rows && term + kTogether <= e.columns && e.pitch % 4 == 0) {
    values = load_vector<kTogether>(from + place * e.pitch + term);
  } else {
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const long long where = IsAlongTerms ? place * e.pitch + term + i : (term + i) * e.pitch + place;
      values[i] = place < e.rows && term + i < e.columns ? from[where] : 0.0f;
    }
  }
  bool fits = true;
#pragma unroll
  for (int i = 0; i < kTogether; ++i) fits = fits && may_be_split(values[i]);
  if (!fits) note_unfit(state);
  constexpr int kRowBytes = 2 * kTermsOfRow;
  // Tiles begin at multiples of 8 places.
  const int in_group = swizzled(swizzle::bytes_64, static_cast<int>(place % 8) * kRowBytes + chunk * 16) / 2;
#pragma unroll
  for (int plane = 0; plane < 3; ++plane) {
    const long long group = (slice * 3 + plane) * e.padded_rows + place / 8 * 8;
    store_vector(planes + group * kTermsOfRow + in_group, next_parts(values));
  }
  wait_for_previous_launch();
}

}  // namespace warpwright::matmul
