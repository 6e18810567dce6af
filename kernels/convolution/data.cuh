// Filters that are outer products of a column and a row.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::convolution {

/// What kind of numbers the factors are.
enum class product {
  fractions,  ///< eleven bits; one in eight is 0, as in filters that find edges
  integers,   ///< small integers: row factors are powers of two, some column factors are 0
  nothing     ///< 0
};

/// Tap (i, j) of a size x size filter is down[i] * across[j], which is exact.
template <class T>
struct outer_product {
  int size;
  product kind;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    return factor(seed, index / size, false) * factor(seed, size + index % size, true);
  }

 private:
  __host__ __device__ constexpr T factor(unsigned long long seed, long long at, bool is_across) const {
    const unsigned long long bits = generate::bits_at(seed, at);
    const auto drawn = static_cast<int>(bits >> 40);
    if (kind == product::nothing) return T(0);
    const int whole = is_across ? 1 << drawn % 3 : drawn % 5;
    const T fraction = (bits >> 8) % 8 == 0 ? T(0) : static_cast<T>(1024 + drawn % 1024) * static_cast<T>(0x1p-11);
    const T amount = kind == product::integers ? static_cast<T>(whole) : fraction;
    return (bits & 1) == 0 ? amount : -amount;
  }
};

}  // namespace warpwright::convolution
