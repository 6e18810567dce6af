// Splits floats into planes of bfloat16 numbers that lie as tiles of them do in shared memory: so one bulk copy brings
// a tile of a plane, ready for wgmma.
#pragma once

#include "kernels/matmul/split_planes.cuh"
#include "kernels/runtime/common/shared_matrices.cuh"

namespace warpwright::matmul {

/// Terms of a row in the planes: 64 bytes.
inline constexpr int kTermsOfRow = 32;

/// Places that a block of split_tiles splits, and its threads.
inline constexpr int kSplitPlaces = 64, kSplitThreads = 256;

/// planes[k / 32][p][place][k % 32] = the p-th part of an element, where places are rows of A or columns of B; the
/// 16-byte chunks of a row change places with each other, as a 64-byte swizzle has them. In memory, terms are
/// neighbours (IsAlongTerms), or places are. `e` has places as rows, and terms as columns; elements behind the matrix
/// are 0. The padded rows are a multiple of 8, the padded columns of 32. The state becomes unfit if an element may not
/// be split. Grid: a block for each kSplitPlaces places and each slice of 32 terms; the slices are in x if terms are
/// neighbours, else in y. So blocks that run at the same time read neighbours. Each thread splits 8 terms of a place.
/// The launch may run beside the one before it, and ends after it.
template <bool IsAlongTerms>
__global__ void __launch_bounds__(kSplitThreads)
    split_tiles(const float* __restrict__ from, unsigned short* planes, plane_extents e, split_state* state) {
  constexpr int kTogether = 8, kChunks = kTermsOfRow / kTogether;
  using chunk_of_row = vec<unsigned short, kTogether>;
  __shared__ chunk_of_row parts[kPlanes][IsAlongTerms ? 1 : kSplitThreads];
  let_next_launch_begin();
  const auto thread = static_cast<int>(threadIdx.x);
  const long long slice = IsAlongTerms ? blockIdx.x : blockIdx.y;
  const long long first = static_cast<long long>(IsAlongTerms ? blockIdx.y : blockIdx.x) * kSplitPlaces;
  const int chunk = IsAlongTerms ? thread % kChunks : thread / kSplitPlaces;
  const int mine = IsAlongTerms ? thread / kChunks : thread % kSplitPlaces;
  const long long place = first + mine, term = slice * kTermsOfRow + chunk * kTogether;
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
  // Chunks of the block's tile: groups of 8 places follow each other.
  const int in_tile = mine / 8 * 8 * kChunks + swizzled(swizzle::bytes_64, mine % 8 * kChunks * 16 + chunk * 16) / 16;
  const auto tile_of = [&](int plane) {
    return planes + ((slice * kPlanes + plane) * e.padded_rows + first) * kTermsOfRow;
  };
  if constexpr (IsAlongTerms) {
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane) {
      const chunk_of_row part = next_parts(values);
      if (place < e.padded_rows) store_vector(tile_of(plane) + in_tile * kTogether, part);
    }
  } else {  // threads of a warp read neighbours, and store neighbours
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane) parts[plane][in_tile] = next_parts(values);
    __syncthreads();
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane)
      if (first + thread / kChunks < e.padded_rows)
        store_vector(tile_of(plane) + thread * kTogether, parts[plane][thread]);
  }
  wait_for_previous_launch();
}

}  // namespace warpwright::matmul
