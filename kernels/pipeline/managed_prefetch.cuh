// pipeline/managed_prefetch: managed memory whose pages are prefetched chunk by chunk.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct managed_prefetch_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int streams = 2;
  int chunks = 8;  ///< upper limit
  bool operator==(const managed_prefetch_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, managed_prefetch_params P>
__global__ void __launch_bounds__(P.block_size) managed_prefetch(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
