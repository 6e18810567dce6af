// How an image is divided into tiles, as an argument of kernels.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::image_histogram {

/// A row-major image divided into tiles of tile_rows x tile_columns pixels; tiles at its lower and right edges may be
/// smaller. Tiles are numbered row by row.
struct tiling {
  long long rows, columns;
  long long tile_rows, tile_columns;
  long long tiles, tiles_across;  ///< in total, and per row of tiles
};

/// The pixels of a tile: rows [top, bottom), columns [left, right).
struct tile_bounds {
  long long top, bottom, left, right;
};

__host__ __device__ inline tile_bounds bounds_of(const tiling& image, long long tile) {
  const long long top = tile / image.tiles_across * image.tile_rows;
  const long long left = tile % image.tiles_across * image.tile_columns;
  const long long rows_left = image.rows - top;
  const long long columns_left = image.columns - left;
  return {top, top + (rows_left < image.tile_rows ? rows_left : image.tile_rows), left,
          left + (columns_left < image.tile_columns ? columns_left : image.tile_columns)};
}

}  // namespace warpwright::image_histogram
