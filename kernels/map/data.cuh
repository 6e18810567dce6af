// Where the elements of op=sqrt_loop begin to count.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::map {

/// Which integers they are.
enum class start {
  spread,  ///< 0 to twice the square of the limit: half of them count, each as far as it has
  zero,    ///< all count from 0
  beside,  ///< within 3 of the square
  special  ///< negative ones, NaN and infinities among them, none of which counts, and -0.0, which does;
           ///< subnormals count as zero would
};

/// Integers as values of T. Floats of 24 bits hold them and all that they become.
template <class T>
struct starts {
  start kind;
  long long square;  ///< of the limit

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
