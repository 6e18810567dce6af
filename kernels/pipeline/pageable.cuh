// pipeline/pageable: the data lie in pageable memory, which the driver copies through its own pinned buffers.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct pageable_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int streams = 1;
  int chunks = 1;  ///< upper limit
  bool operator==(const pageable_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, pageable_params P>
__global__ void __launch_bounds__(P.block_size) pageable(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
