// The seeds of random numbers.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::random {

/// Any 64-bit number; or one with few bits set, with all bits set, or with one word only.
struct any_seed {
  bool is_edge;

  __host__ __device__ unsigned long long operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    if (!is_edge) return bits;
    const unsigned long long edges[5] = {0ULL, 1ULL, ~0ULL, 0xffffffffULL, 1ULL << 32};
    return edges[bits % 5];
  }
};

}  // namespace warpwright::random
