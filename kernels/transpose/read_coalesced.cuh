// transpose/read_coalesced: neighbouring threads read neighbouring elements and write a column.
#pragma once

#include "kernels/transpose/naive.cuh"

namespace warpwright::transpose {

using read_coalesced_params = naive_params;

/// out[column][row] = in[row][column] for a row-major rows x columns matrix.
template <class T, read_coalesced_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    read_coalesced(const T* __restrict__ in, T* __restrict__ out, long long rows, long long columns) {
  for_each_element<P>(rows, columns,
                      [&](long long row, long long column) { out[column * rows + row] = in[row * columns + column]; });
}

}  // namespace warpwright::transpose
