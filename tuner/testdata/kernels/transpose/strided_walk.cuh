// transpose/strided_walk: a few blocks per SM, whose threads stride over the matrix in the order of the output.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::transpose {

struct strided_walk_params {
  int block_size = 256;
  int grid_blocks_per_sm = 4;
  bool operator==(const strided_walk_params&) const = default;
};

/// out[c][r] = in[r][c] for a matrix of rows x columns.
template <class T, strided_walk_params P>
__global__ void strided_walk(const T* in, T* out, long long rows, long long columns) {
  const long long stride = static_cast<long long>(gridDim.x) * P.block_size;
  for (long long at = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x; at < rows * columns;
       at += stride)
    out[at] = in[at % rows * columns + at / rows];
}

}  // namespace warpwright::transpose
