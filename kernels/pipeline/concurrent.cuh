// pipeline/concurrent: many small kernels side by side, each in a stream of its own.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct concurrent_params {
  int block_size = 128;
  int blocks = 1;   ///< of each kernel
  int kernels = 8;  ///< side by side
  bool operator==(const concurrent_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count; few blocks, whose threads walk over the chunk.
template <class T, concurrent_params P>
__global__ void __launch_bounds__(P.block_size) concurrent(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
