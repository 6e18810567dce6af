// The plain generator that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/random/numbers.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::random {

/// expected[i] = uniform number offset + i of the sequence of *seed, one by one. Any grid of one dimension, as for all
/// kernels of this file.
template <class T>
__global__ void reference_uniform(const unsigned long long* seed, T* expected, unsigned long long offset,
                                  long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned long long place = offset + static_cast<unsigned long long>(i);
    expected[i] = uniform_of(block_of(*seed, place / kNumbers<T>), static_cast<int>(place % kNumbers<T>), T());
  }
}

/// expected[i] = normal number offset + i in double, from uniform numbers of type T; magnitude[i] = its absolute value.
template <class T, bool Inverse>
__global__ void reference_normal(const unsigned long long* seed, double* expected, double* magnitude,
                                 unsigned long long offset, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned long long place = offset + static_cast<unsigned long long>(i);
    const philox_block block = block_of(*seed, place / kNumbers<T>);
    const int k = static_cast<int>(place % kNumbers<T>);
    double normal = 0;
    if constexpr (Inverse) {
      normal = normcdfinv(static_cast<double>(open(bits_of(block, k, T()))));
    } else {
      const double size = sqrt(-2 * log(static_cast<double>(positive(bits_of(block, k / 2 * 2, T())))));
      const double angle = 2 * static_cast<double>(uniform_of(block, k / 2 * 2 + 1, T()));
      normal = size * (k % 2 == 0 ? cospi(angle) : sinpi(angle));
    }
    expected[i] = normal;
    magnitude[i] = fabs(normal);
  }
}

}  // namespace warpwright::random
