// The error of one output element, in units of its bound; computed in the same way on CPU and GPU.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::compare {

/// The error of a result that cannot be right, whatever the bound is. Any error above 1 is wrong.
inline constexpr double kWrong = __builtin_bit_cast(double, 0x7ff0000000000000ULL);

/// The magnitude of an element that is not compared.
inline constexpr double kNotCompared = -1;

template <class T>
__host__ __device__ constexpr bool is_nan(T v) {
  return v != v;
}

/// 0 if the bits are the same, else kWrong.
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

/// 0 if the values are the same (signed zeros are equal, NaN equals NaN), else kWrong.
template <class T>
__host__ __device__ double ratio_of_values(T output, T expected) {
  return output == expected || (is_nan(output) && is_nan(expected)) ? 0 : kWrong;
}

/// |output - expected| / (relative * magnitude + absolute). If `expected` is not finite, the output must be equal to
/// it. An unexpected NaN or infinity is kWrong. If the bound is 0, any difference is kWrong. An element
/// that is not compared is right.
template <class T>
__host__ __device__ double ratio_to_bound(T output, double expected, double magnitude, double relative,
                                          double absolute) {
  const double got = static_cast<double>(output);
  if (got == expected || magnitude == kNotCompared) return 0;
  if (is_nan(expected)) return is_nan(got) ? 0 : kWrong;
  const double error = got < expected ? expected - got : got - expected;
  const double bound = relative * magnitude + absolute;
  const double ratio = error / bound;
  return bound > 0 && ratio < kWrong && expected - expected == 0 ? ratio : kWrong;
}

}  // namespace warpwright::compare
