// Keys of the sort pattern's own: special ones, and such as are out of order by little.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::sort {

/// Random bits, every NaN among them; one key in four is a special value of either sign, so that some come often.
template <class T>
struct special_keys {
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    if constexpr (sizeof(T) == 4)
      return pick(bits, __builtin_bit_cast(T, static_cast<unsigned>(bits >> 32)));
    else
      return pick(bits, __builtin_bit_cast(T, generate::mix(bits)));
  }

 private:
  static __host__ __device__ T pick(unsigned long long bits, T any) {
    if ((bits & 3) != 0) return any;
    const T special = generate::detail::special_value(T(), static_cast<unsigned>(bits >> 8) & 7);
    return (bits & 4) == 0 ? special : negated(special);
  }
  /// The lowest integer stays itself.
  static __host__ __device__ T negated(T value) {
    if constexpr (generate::detail::is_floating<T>)
      return -value;
    else
      return static_cast<T>(0ULL - static_cast<unsigned long long>(value));
  }
};

/// Keys of two digits of 8 bits, which are nowhere 0. By half of the seeds each has 16 values: once the keys are in the
/// order of the lower ones, those of neighbours differ by one at most, and what a pass over the upper ones leaves out
/// of order is so by one. By the other half one key in 16 has the greatest upper digit and any lower one, and of all
/// others the upper digit says the lower one, of 16: what a pass leaves out of order lies at the end of a tile alone.
template <class T>
struct two_digit_keys {
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long any = generate::bits_at(seed, index);
    const unsigned long long lower = any & 0xff;
    const unsigned long long upper = any >> 8 & 0xff;
    const unsigned long long at_the_end = (any >> 60) == 0 ? 0xff00 | lower : upper << 8 | upper % 16 << 4 | 1;
    const unsigned long long bits = (generate::bits_at(seed, -1) & 1) == 0 ? (any & 0x0f0f) | 0x1010 : at_the_end;
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, static_cast<unsigned>(bits));
    else
      return __builtin_bit_cast(T, bits);
  }
};

}  // namespace warpwright::sort
