// pipeline/managed: the data lie in managed memory; pages migrate on access.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

struct managed_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int streams = 1;
  int chunks = 1;  ///< upper limit
  bool operator==(const managed_params&) const = default;
};

/// out[i] = worked(in[i]) for i < count.
template <class T, managed_params P>
__global__ void __launch_bounds__(P.block_size) managed(const T* in, T* out, long long count, int operations) {
  work_on_chunk(in, out, count, operations);
}

}  // namespace warpwright::pipeline
