// The plain map that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/pipeline/chunk.cuh"

namespace warpwright::pipeline {

/// expected[i] = worked(in[i]) for i < count. Any grid of one dimension.
template <class T>
__global__ void reference(const T* in, T* expected, long long count, int operations) {
  work_on_chunk(in, expected, count, operations);
}

}  // namespace warpwright::pipeline
