// The plain maps that large results are compared with. They are checked themselves against the CPU oracle.
#pragma once

#include "kernels/map/ways.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::map {

/// expected[i] = alpha * x[i] + y[i] in double, magnitude[i] = |alpha * x[i]| + |y[i]|, for i < count. Any grid of one
/// dimension, as for all kernels of this file.
template <class T>
__global__ void reference_axpy(const T* x, const T* y, double* expected, double* magnitude, T alpha, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double factor = static_cast<double>(alpha);
    const double term = static_cast<double>(x[i]);
    expected[i] = fma(factor, term, static_cast<double>(y[i]));
    magnitude[i] = fabs(factor * term) + fabs(static_cast<double>(y[i]));
  }
}

/// expected[i] = x[i] if x[i] < 0 or NaN, else max(x[i], the square of the limit); magnitude[i] = |expected[i]|.
template <class T>
__global__ void reference_sqrt_loop(const T* x, double* expected, double* magnitude, int limit, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  const double square = static_cast<double>(limit) * limit;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double start = static_cast<double>(x[i]);
    expected[i] = start >= 0 && start < square ? square : start;
    magnitude[i] = fabs(expected[i]);
  }
}

/// expected[i] = x[i] after way i % ways.
template <class T>
__global__ void reference_switch(const T* x, T* expected, int ways, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    expected[i] = passed_along(x[i], way_of(i, ways));
}

}  // namespace warpwright::map
