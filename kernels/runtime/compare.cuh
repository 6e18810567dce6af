// How far one output element is from what was expected, in units of its bound; the same on host and device.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::compare {

/// Anything above 1 is wrong; this is worse than every number.
inline constexpr double kWrong = __builtin_bit_cast(double, 0x7ff0000000000000ULL);

template <class T>
__host__ __device__ constexpr bool is_nan(T v) {
  return v != v;
}

/// 0 for the same bits, else kWrong.
template <class T>
__host__ __device__ double ratio_of_bits(T output, T expected) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(unsigned long long, output) == __builtin_bit_cast(unsigned long long, expected) ? 0
                                                                                                              : kWrong;
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(unsigned, output) == __builtin_bit_cast(unsigned, expected) ? 0 : kWrong;
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(unsigned short, output) == __builtin_bit_cast(unsigned short, expected) ? 0 : kWrong;
  else
    return output == expected ? 0 : kWrong;
}

/// 0 for the same value (signed zeros are equal, NaN equals NaN), else kWrong.
template <class T>
__host__ __device__ double ratio_of_values(T output, T expected) {
  return output == expected || (is_nan(output) && is_nan(expected)) ? 0 : kWrong;
}

/// |output - expected| / (relative * magnitude + absolute). An expectation that is not finite must be met exactly;
/// a NaN or infinity that was not expected is kWrong. Where the bound is 0 any difference is kWrong.
template <class T>
__host__ __device__ double ratio_to_bound(T output, double expected, double magnitude, double relative,
                                          double absolute) {
  const double got = static_cast<double>(output);
  if (got == expected) return 0;
  if (is_nan(expected)) return is_nan(got) ? 0 : kWrong;
  const double error = got < expected ? expected - got : got - expected;
  const double bound = relative * magnitude + absolute;
  const double ratio = error / bound;
  return bound > 0 && ratio < kWrong && expected - expected == 0 ? ratio : kWrong;
}

}  // namespace warpwright::compare
