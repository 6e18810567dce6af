// Start values of the elements for op=sqrt_loop.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::map {

/// Which integers the start values are.
enum class start {
  spread,  ///< 0 to twice the square of the limit: half of them iterate, each a different number of times
  zero,    ///< all start at 0
  beside,  ///< within 3 of the square of the limit
  special  ///< negative values, NaN and infinities, which do not iterate, and -0.0, which does; subnormals would count
           ///< as zero
};

/// Integers as values of T. Floats with 24 bits represent them and all values that they reach.
template <class T>
struct starts {
  start kind;
  long long square;  ///< the square of the limit

  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const auto spread = static_cast<T>(static_cast<int>((bits >> 32) % static_cast<unsigned long long>(2 * square)));
    switch (kind) {
      case start::spread:
        return spread;
      case start::zero:
        return T(0);
      case start::beside: {
        const long long near = square + static_cast<long long>(bits % 7) - 3;
        return static_cast<T>(static_cast<int>(near < 0 ? 0 : near));
      }
      default:
        return bits % 4 == 0   ? static_cast<T>(T(0) - spread)
               : bits % 4 == 1 ? generate::detail::special_value(T(), static_cast<unsigned>(bits >> 61))
                               : spread;
    }
  }
};

}  // namespace warpwright::map
