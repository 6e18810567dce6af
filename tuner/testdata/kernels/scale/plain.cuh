// scale/plain: one thread per element, a toy kernel outside the tree.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::scale {

struct plain_params {
  int block_size = 128;
  bool operator==(const plain_params&) const = default;
};

/// out[i] = 2 * in[i] for i < count.
template <class T, plain_params P>
__global__ void plain(const T* in, T* out, long long count) {
  const long long i = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

}  // namespace warpwright::scale
