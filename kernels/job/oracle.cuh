// Converts the results of a job's oracle to what is compared: doubles, with magnitudes.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::job {

/// to[i] = from[i], in double.
template <class T>
__global__ void widen(const T* from, double* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = static_cast<double>(static_cast<float>(from[i]));
}
template <>
__global__ void widen<double>(const double* from, double* to, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = from[i];
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

}  // namespace warpwright::job
