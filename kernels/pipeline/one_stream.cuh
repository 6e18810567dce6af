// pipeline/one_stream: copy in, kernel and copy out, chunk by chunk in one stream.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct one_stream_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int chunks = 4;      ///< upper limit
  bool operator==(const one_stream_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, one_stream_params P>
__global__ void __launch_bounds__(P.block_size) one_stream(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
