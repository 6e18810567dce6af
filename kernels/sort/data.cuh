// Data of the sort pattern: special keys, and keys that are almost in order.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::sort {

/// Random bits, including all NaN; one key in four is a special value of either sign, so that some occur often.
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
  /// The lowest integer has no negative and stays itself.
  static __host__ __device__ T negated(T value) {
    if constexpr (generate::detail::is_floating<T>)
      return -value;
    else
      return static_cast<T>(0ULL - static_cast<unsigned long long>(value));
  }
};

/// Keys with two digits of 8 bits, none of them 0, for ranking by arrival. Half of the seeds: each digit has 16 values.
/// After sorting by the lower digit, the lower digits of neighbours differ by at most one. So do those of keys that a
/// pass over the upper digit leaves out of order. Other seeds: one key in 16 has the largest upper digit and any lower
/// one; for all others the upper digit determines the lower one (16 values), so only the end of a tile can be out of
/// order.
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
