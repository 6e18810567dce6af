// The data sets of the compact pattern: a chosen part of the elements is kept, spread at random or in runs.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::compact {

/// Elements that both predicates keep are positive and random, the others are zero (of either sign where there are
/// two). Each run of `run` neighbours is kept or dropped as one.
template <class T>
struct kept_part {
  unsigned long long threshold;  ///< number of runs kept out of 2^32
  long long run;

  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const unsigned long long fate = generate::mix(generate::bits_at(seed, index / run));
    if (fate >> 32 >= threshold) return (bits & 1) == 0 ? T(0) : static_cast<T>(-T(0));
    if constexpr (generate::detail::is_floating<T>)
      return static_cast<T>(static_cast<int>(bits >> 41) + 1) * static_cast<T>(0x1p-23);
    else
      return static_cast<T>((bits >> (65 - 8 * sizeof(T))) | 1);
  }
};

}  // namespace warpwright::compact
