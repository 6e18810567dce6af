// Distributions of the numbers of a Philox block: uniform, or normal by one of two transforms.
#pragma once

#include "kernels/random/numbers.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::random {

/// In [0, 1); integers are the random bits themselves.
struct uniform {
  template <class T>
  __device__ static void make(const philox_block& block, T (&numbers)[kNumbers<T>]) {
#pragma unroll
    for (int k = 0; k < kNumbers<T>; ++k) numbers[k] = uniform_of(block, k, T());
  }
};

/// Standard normal numbers in pairs, from the length and direction of a random vector. Source: G. Box, M. Muller, A
/// Note on the Generation of Random Normal Deviates, Ann. Math. Stat. 29 (1958).
struct box_muller {
  template <class T>
  __device__ static void make(const philox_block& block, T (&numbers)[kNumbers<T>]) {
#pragma unroll
    for (int k = 0; k < kNumbers<T>; k += 2) {
      const T length = sqrt(T(-2) * log(positive(bits_of(block, k, T()))));
      T sine;
      T cosine;
      sincospi(T(2) * uniform_of(block, k + 1, T()), &sine, &cosine);
      numbers[k] = length * cosine;
      numbers[k + 1] = length * sine;
    }
  }
};

/// Standard normal numbers, each by the inverse of the distribution function.
struct inverse {
  template <class T>
  __device__ static void make(const philox_block& block, T (&numbers)[kNumbers<T>]) {
#pragma unroll
    for (int k = 0; k < kNumbers<T>; ++k) numbers[k] = normcdfinv(open(bits_of(block, k, T())));
  }
};

}  // namespace warpwright::random
