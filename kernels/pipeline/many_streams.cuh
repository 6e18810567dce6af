// pipeline/many_streams: chunks in several streams, so that copies both ways and kernels overlap.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct many_streams_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread
  int streams = 2;
  int chunks = 32;     ///< upper limit
  bool staged = true;  ///< separate streams for copies in, kernels and copies out, ordered by events; otherwise one
                       ///< stream per chunk
  bool operator==(const many_streams_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, many_streams_params P>
__global__ void __launch_bounds__(P.block_size) many_streams(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
