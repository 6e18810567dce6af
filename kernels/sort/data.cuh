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
    return (bits & 4) == 0 ? special : static_cast<T>(-special);
  }
};

/// Keys that differ in bits 0 to 3 and in bits 8 to 11 alone, and are nowhere 0. Once they are in the order of the
/// lower ones, those of neighbours differ by one at most: what a pass over the upper ones leaves out of order is so by
/// one. By half of the seeds nearly all keys are one value, and one in 16 is greater: what is out of order is so at the
/// end of a tile alone.
template <class T>
struct two_digit_keys {
  __host__ __device__ T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long any = generate::bits_at(seed, index);
    const unsigned long long greater = (any >> 60) == 0 ? (any & 0x0f) | 0x0f00 : 0;
    const unsigned long long bits = ((seed & 1) == 0 ? any & 0x0f0f : greater) | 0x1010;
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, static_cast<unsigned>(bits));
    else
      return __builtin_bit_cast(T, bits);
  }
};

}  // namespace warpwright::sort
