// The data of the scan pattern: values for which running sums lose precision.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::scan {

/// Large values of one sign in the first quarter, then small ones of both signs. Every later prefix contains a sum that
/// is much larger than the elements added to it.
template <class T>
struct early_sum {
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long count) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const T small = generate::detail::is_floating<T> ? generate::detail::uniform<T>(bits)
                                                     : static_cast<T>(static_cast<int>(bits >> 62) - 1);
    return index < count / 4 ? static_cast<T>(static_cast<T>(1024) + small) : small;
  }
};

}  // namespace warpwright::scan
