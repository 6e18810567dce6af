// transpose/write_coalesced: neighbouring threads read a column and write neighbouring elements.
#pragma once

#include "kernels/transpose/naive.cuh"

namespace warpwright::transpose {

using write_coalesced_params = naive_params;

/// out[column][row] = in[row][column] for a row-major rows x columns matrix.
template <class T, write_coalesced_params P>
__global__ void __launch_bounds__(P.block_x* P.block_y)
    write_coalesced(const T* __restrict__ in, T* __restrict__ out, long long rows, long long columns) {
  for_each_element<P>(columns, rows,
                      [&](long long column, long long row) { out[column * rows + row] = in[row * columns + column]; });
}

}  // namespace warpwright::transpose
