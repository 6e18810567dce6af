// Data that a job can name besides the generic kinds: random numbers in a range, and numbers with a constant step.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::job {

/// Random values from low to high: integers with equal probability, others uniformly distributed.
template <class T>
struct between {
  double low, high;
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    if constexpr (static_cast<T>(0.5f) == T(0)) {
      const long long first = static_cast<long long>(low);
      const auto count = static_cast<unsigned long long>(static_cast<long long>(high) - first + 1);
      return static_cast<T>(first + static_cast<long long>(bits % count));
    } else {
      const double part = static_cast<double>(bits >> 11) / 9007199254740992.0;
      return static_cast<T>(static_cast<float>(low + (high - low) * part));
    }
  }
};

/// first, first + step, ...
template <class T>
struct in_steps {
  double first, step;
  __host__ __device__ T operator()(unsigned long long, long long index, long long) const {
    const double value = first + step * static_cast<double>(index);
    if constexpr (static_cast<T>(0.5f) == T(0))
      return static_cast<T>(static_cast<long long>(value));
    else
      return static_cast<T>(static_cast<float>(value));
  }
};

/// Any of the values; a number with a fraction, as an integer, is the one below it or the one above.
template <class T>
struct among {
  static constexpr int most = 16;
  double values[most];
  int count;
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const double value = count == 0 ? 0.0 : values[bits % static_cast<unsigned>(count)];
    if constexpr (static_cast<T>(0.5f) == T(0)) {
      const long long whole = static_cast<long long>(value);  // towards zero
      if (static_cast<double>(whole) == value) return static_cast<T>(whole);
      const long long below = value < 0 ? whole - 1 : whole;
      return static_cast<T>(below + static_cast<long long>(bits >> 63));
    } else {
      return static_cast<T>(static_cast<float>(value));
    }
  }
};

}  // namespace warpwright::job
