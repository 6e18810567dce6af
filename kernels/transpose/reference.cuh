// The plain transposition and copy that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::transpose {

/// expected[column][row] = in[row][column], or expected = in. Any grid of one dimension.
template <class T, bool Transposed>
__global__ void reference(const T* in, T* expected, long long rows, long long columns) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns; i += stride)
    expected[Transposed ? i % columns * rows + i / columns : i] = in[i];
}

}  // namespace warpwright::transpose
