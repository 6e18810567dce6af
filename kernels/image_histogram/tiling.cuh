// How an image is cut into tiles, as plans hand it to kernels.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::image_histogram {

/// A row-major image that is cut into tiles of tile_rows x tile_columns pixels; those at its lower and right edges have
/// what is left. Tiles are numbered row by row.
struct tiling {
  long long rows, columns;
  long long tile_rows, tile_columns;
  long long tiles, tiles_across;  ///< in all, and side by side
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
