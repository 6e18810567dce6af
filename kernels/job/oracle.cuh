// Converts the results of a job's oracle to what is compared: doubles, with magnitudes.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/compare.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::job {

/// Not every type can be converted to both: halves not to double, 64-bit integers not to float.
template <class T>
__device__ double in_double(T from) {
  return static_cast<double>(static_cast<float>(from));
}
template <>
__device__ inline double in_double<double>(double from) {
  return from;
}
template <>
__device__ inline double in_double<int>(int from) {
  return from;
}
template <>
__device__ inline double in_double<unsigned>(unsigned from) {
  return from;
}
template <>
__device__ inline double in_double<long long>(long long from) {
  return static_cast<double>(from);
}
template <>
__device__ inline double in_double<unsigned long long>(unsigned long long from) {
  return static_cast<double>(from);
}

template <class T>
__device__ T from_double(double from) {
  return static_cast<T>(static_cast<float>(from));
}
template <>
__device__ inline double from_double<double>(double from) {
  return from;
}

/// to[i] = from[i], in double.
template <class T>
__global__ void widen(const T* from, double* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = in_double(from[i]);
}

/// to[i] = |from[i]|.
template <class T>
__global__ void absolute(const T* from, T* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const T value = from[i];
    to[i] = value < static_cast<T>(0.0f) ? static_cast<T>(-value) : value;
  }
}

/// to[i] = from[i] with a relative change between half of `relative` and all of it, of either sign, if it then is in
/// [low, high). The changes follow multiples of a number, `step` / 2^32.
template <class T>
__global__ void nudged(const T* from, T* to, double relative, double low, double high, int first, unsigned step,
                       long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned part = static_cast<unsigned>(i + first) * step;
    const double value = in_double(from[i]);
    const double share = part * 0x1p-32;
    const double moved = value + relative * (share < 0.5 ? share + 0.5 : -share) * value;
    to[i] = moved >= low && moved < high ? from_double<T>(moved) : from[i];
  }
}

/// Raises magnitude[i] to |expected[i]|, and to the change of the result by nudged inputs, for a relative change of 1.
template <class T>
__global__ void conditioned(const double* expected, const T* nudged, double* magnitude, double relative,
                            long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double right = expected[i];
    const double change = in_double(nudged[i]) - right;
    const double candidates[] = {right, -right, change / relative, -change / relative};
    double most = magnitude[i];
    for (const double one : candidates)
      if (!(most >= one) && one - one == 0) most = one;  // neither infinities nor NaN
    magnitude[i] = most;
  }
}

/// to[i] = from[i], or the third smallest of nine neighbours if that is more, but at most 64 times as much: the effects
/// of nudged inputs cancel by chance in one of many results, and hardly in all of its neighbours.
static __global__ void with_neighbours(const double* from, double* to, long long count) {
  constexpr long long kReach = 4;
  constexpr double kMost = 64;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double own = from[i];
    double first = compare::kWrong, second = first, third = first;  // infinities
    for (long long j = i - kReach; j <= i + kReach; ++j) {
      if (j < 0 || j >= count) continue;
      const double one = from[j];
      if (one < first) {
        third = second;
        second = first;
        first = one;
      } else if (one < second) {
        third = second;
        second = one;
      } else if (one < third) {
        third = one;
      }
    }
    to[i] = third < compare::kWrong && third > own ? (third < kMost * own ? third : kMost * own) : own;
  }
}

/// to[i] = functor(i).
template <class T, class F>
__global__ void read_file(T* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = F()(0, i, count);
}

/// to[i] = |from[i]|, in double.
template <class T>
__global__ void magnitude(const T* from, double* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double value = from[i];
    to[i] = value < 0 ? -value : value;
  }
}

/// Elements outside of [first, last) are not compared.
static __global__ void compare_range(double* magnitude, long long first, long long last, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    if (i < first || i >= last) magnitude[i] = compare::kNotCompared;
}

/// Elements behind the first `row` of each `pitch` are not compared.
static __global__ void compare_rows(double* magnitude, long long row, long long pitch, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    if (i % pitch >= row) magnitude[i] = compare::kNotCompared;
}

/// Elements of `size` bytes that differ in two results of the oracle, which were filled differently before, are not
/// compared: the oracle does not write them.
static __global__ void compare_written(const unsigned char* one, const unsigned char* other, double* magnitude,
                                       long long size, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    for (long long k = 0; k < size; ++k)
      if (one[i * size + k] != other[i * size + k]) magnitude[i] = compare::kNotCompared;
}

}  // namespace warpwright::job
