// Where a block's tile lies in a matrix, for the transpositions that work tile by tile.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::transpose {

/// The direction in which consecutive blocks walk the matrix that is read.
enum class tile_order { along_rows, along_columns };

/// First element of a tile.
struct tile_origin {
  long long row;
  long long column;
};

/// The tile of this block; the grid is one-dimensional with one block per tile.
template <int TileDim, tile_order Order>
__device__ __forceinline__ tile_origin locate_tile(long long rows, long long columns) {
  const long long block = blockIdx.x;
  if (Order == tile_order::along_rows) {
    const long long tiles = (columns + TileDim - 1) / TileDim;
    return {block / tiles * TileDim, block % tiles * TileDim};
  }
  const long long tiles = (rows + TileDim - 1) / TileDim;
  return {block % tiles * TileDim, block / tiles * TileDim};
}

}  // namespace warpwright::transpose
