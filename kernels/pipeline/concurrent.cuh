// pipeline/concurrent: many small kernels run concurrently, each in a stream of its own.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct concurrent_params {
  int block_size = 128;
  int blocks = 1;   ///< per kernel
  int kernels = 8;  ///< kernels that run concurrently
  bool operator==(const concurrent_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count; by a few blocks, whose threads stride over the chunk.
template <class T, concurrent_params P>
__global__ void __launch_bounds__(P.block_size) concurrent(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
