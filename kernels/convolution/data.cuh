// Filters that are products of a column and a row.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::convolution {

/// Tap (i, j) of a size x size filter is down[i] * across[j], without a rounding: factors have eleven digits, or are
/// small integers, those across powers of two.
template <class T>
struct outer_product {
  int size;
  bool is_exact;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    return factor(seed, index / size, false) * factor(seed, size + index % size, true);
  }

 private:
  __host__ __device__ constexpr T factor(unsigned long long seed, long long at, bool is_across) const {
    const unsigned long long bits = generate::bits_at(seed, at);
    const auto drawn = static_cast<int>(bits >> 40);
    const int whole = is_across ? 1 << drawn % 3 : drawn % 4 + 1;
    const T amount = is_exact ? static_cast<T>(whole) : static_cast<T>(1024 + drawn % 1024) * static_cast<T>(0x1p-11);
    return (bits & 1) == 0 ? amount : -amount;
  }
};

}  // namespace warpwright::convolution
