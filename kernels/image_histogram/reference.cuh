// The plain histogram of tiles that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/block/binning.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::image_histogram {

/// Adds the pixels of in[rows][columns] to out[tile][bins], with tiles of tile_rows x tile_columns numbered row by row;
/// all bins are zero before the launch. Blocks of 256 threads.
template <class Key>
__global__ void __launch_bounds__(256) reference(const Key* in, unsigned* out, unsigned bins, long long rows,
                                                 long long columns, long long tile_rows, long long tile_columns) {
  const block::binning<Key, false> ranges{bins};
  const long long tiles_across = (columns + tile_columns - 1) / tile_columns;
  const long long stride = static_cast<long long>(gridDim.x) * 256;
  for (long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x; i < rows * columns; i += stride) {
    const unsigned bin = ranges.of(in[i]);
    const long long tile = i / columns / tile_rows * tiles_across + i % columns / tile_columns;
    if (bin < bins) atomicAdd(out + tile * bins + bin, 1U);
  }
}

}  // namespace warpwright::image_histogram
