// The data sets of peaks: integers from 0 to 99, drawn or rising.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::peaks {

/// 0 to 99, every one as likely.
struct percent {
  __host__ __device__ int operator()(unsigned long long seed, long long index, long long) const {
    return static_cast<int>(generate::bits_at(seed, index) % 100);
  }
};

/// 0 to 99 and again from 0.
struct ramp {
  __host__ __device__ int operator()(unsigned long long seed, long long index, long long) const {
    return static_cast<int>((seed % 100 + static_cast<unsigned long long>(index)) % 100);
  }
};

}  // namespace warpwright::peaks
