// The data sets of peaks: integers from 0 to 99, random or ascending.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::peaks {

/// Numbers from 0 to 99, all equally likely.
struct percent {
  __host__ __device__ int operator()(unsigned long long seed, long long index, long long) const {
    return static_cast<int>(generate::bits_at(seed, index) % 100);
  }
};

/// 0, 1, ..., 99, 0, 1, ...; the seed determines the start.
struct ramp {
  __host__ __device__ int operator()(unsigned long long seed, long long index, long long) const {
    return static_cast<int>((seed % 100 + static_cast<unsigned long long>(index)) % 100);
  }
};

}  // namespace warpwright::peaks
