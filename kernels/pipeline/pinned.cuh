// pipeline/pinned: the data lie in pinned memory, which is copied over the bus as a whole, or which the kernel accesses
// directly.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct pinned_params {
  int block_size = 256;
  int coarsening = 4;   ///< elements per thread
  bool direct = false;  ///< the kernel accesses the host's memory directly, without a copy
  bool operator==(const pinned_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, pinned_params P>
__global__ void __launch_bounds__(P.block_size) pinned(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
