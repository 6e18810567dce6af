// How the image of a problem is divided into tiles.
#pragma once

#include "kernels/image_histogram/tiling.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::image_histogram {

inline tiling tiling_of(const Problem& problem) {
  const std::int64_t down = divide_up(problem.shape[0], problem.integer("tile_y"));
  const std::int64_t across = divide_up(problem.shape[1], problem.integer("tile_x"));
  return {.rows = problem.shape[0],
          .columns = problem.shape[1],
          .tile_rows = problem.integer("tile_y"),
          .tile_columns = problem.integer("tile_x"),
          .tiles = down * across,
          .tiles_across = across};
}

}  // namespace warpwright::image_histogram
