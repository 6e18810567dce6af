// pipeline/host_overlap: the CPU computes a share of the data while the device works.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct host_overlap_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int streams = 2;
  int chunks = 4;     ///< upper limit
  int cpu_share = 1;  ///< of 64 parts of the data
  bool operator==(const host_overlap_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, host_overlap_params P>
__global__ void __launch_bounds__(P.block_size) host_overlap(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
