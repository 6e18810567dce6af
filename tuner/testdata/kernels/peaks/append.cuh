// peaks/append: every thread appends the indices of its peaks to a list, in any order.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::peaks {

/// What is added to element i before it is compared: bias[i % 16].
__constant__ int bias[16];

/// An element is a peak if it is more than `level`.
struct rule {
  int level;
};

struct append_params {
  int block_size = 128;
  int vector_width = 1;  ///< elements per thread
  bool operator==(const append_params&) const = default;
};

/// list[0..*count) = all i with in[i] + bias[i % 16] > rule.level. Both counters are zero before and after the launch.
template <append_params P>
__global__ void __launch_bounds__(P.block_size)
    append(const int* in, int* list, unsigned* count, unsigned* next, unsigned* departed, rule what, int elements) {
  const int first = static_cast<int>(blockIdx.x * P.block_size + threadIdx.x) * P.vector_width;
  if (first < elements) {
    const vec<int, P.vector_width> held = load_vector<P.vector_width>(in + first);
    for (int k = 0; k < P.vector_width; ++k)
      if (held[k] + bias[(first + k) % 16] > what.level) list[atomicAdd(next, 1U)] = first + k;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  __threadfence();
  if (atomicInc(departed, gridDim.x - 1) == gridDim.x - 1) *count = atomicExch(next, 0U);
}

}  // namespace warpwright::peaks
