// The data sets of the compact pattern: a chosen part of the elements is kept, spread at random or in runs.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::compact {

/// Elements that both predicates keep are positive and random, the others are zero (of either sign where there are
/// two). `run` neighbours share their fate.
template <class T>
struct kept_part {
  unsigned long long threshold;  ///< of 2^32 runs, how many are kept
  long long run;

  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const unsigned long long fate = generate::mix(generate::bits_at(seed, index / run));
    if (fate >> 32 >= threshold) return static_cast<T>((bits & 1) == 0 ? T(0) : T(0) * static_cast<T>(-1));
    if constexpr (generate::detail::is_floating<T>)
      return static_cast<T>(static_cast<int>(bits >> 41) + 1) * static_cast<T>(0x1p-23);
    else
      return static_cast<T>((bits >> (65 - 8 * sizeof(T))) | 1);
  }
};

}  // namespace warpwright::compact
