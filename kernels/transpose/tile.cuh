// Where a block's tile lies in a matrix, for the transpositions that work tile by tile.
#pragma once

#include "kernels/block/tile_place.cuh"

namespace warpwright::transpose {

/// The direction in which consecutive blocks walk the matrix that is read.
enum class tile_order { along_rows, along_columns };

/// First element of a tile.
struct tile_origin {
  long long row;
  long long column;
};

/// The tile of this block; the grid is one-dimensional with one block per tile. `Number` is what place_of_block divides
/// in.
template <int TileDim, tile_order Order, class Number = unsigned>
__device__ __forceinline__ tile_origin locate_tile(long long rows, long long columns) {
  constexpr bool kAlongRows = Order == tile_order::along_rows;
  const block::tile_place at = block::place_of_block<Number>(((kAlongRows ? columns : rows) + TileDim - 1) / TileDim);
  return {(kAlongRows ? at.row : at.column) * TileDim, (kAlongRows ? at.column : at.row) * TileDim};
}

}  // namespace warpwright::transpose
