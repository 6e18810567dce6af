// Shared by the two transpositions without shared memory: their params and the loop over the matrix.
#pragma once

#include "kernels/block/tile_place.cuh"

namespace warpwright::transpose {

/// Blocks of block_x * block_y threads, each thread handling `coarsening` elements that lie block_y apart.
struct naive_params {
  int block_x = 32;
  int block_y = 8;
  int coarsening = 1;
  bool operator==(const naive_params&) const = default;
};

/// Calls move(slow, fast) for every element of a slow_extent x fast_extent matrix that this thread handles;
/// neighbouring threads have neighbouring `fast`. Blocks are numbered along `fast` first, in one grid dimension.
template <naive_params P, class Move>
__device__ __forceinline__ void for_each_element(long long slow_extent, long long fast_extent, Move move) {
  const block::tile_place at = block::place_of_block((fast_extent + P.block_x - 1) / P.block_x);
  const long long fast = at.column * P.block_x + threadIdx.x;
  const long long slow = at.row * (P.block_y * P.coarsening) + threadIdx.y;
  if (fast >= fast_extent) return;
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i)
    if (slow + i * P.block_y < slow_extent) move(slow + i * P.block_y, fast);
}

}  // namespace warpwright::transpose
