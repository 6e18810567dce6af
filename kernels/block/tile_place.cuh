// Where a block is among the tiles of a matrix.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// A tile's row and column, counted in tiles.
struct tile_place {
  long long row, column;
};

/// The tile of the calling block, if the blocks of a one-dimensional grid take tiles row by row, `across` in each row.
/// Every thread divides, and in 32 bits this takes a hundred instructions less than in 64. It is exact, since a row has
/// no more tiles than the grid has blocks. `Number` is long long where ptxas then needs fewer registers.
template <class Number = unsigned>
__device__ __forceinline__ tile_place place_of_block(long long across) {
  const auto block = static_cast<Number>(blockIdx.x);
  const auto tiles = static_cast<Number>(across);
  return {static_cast<long long>(block / tiles), static_cast<long long>(block % tiles)};
}

}  // namespace warpwright::block
