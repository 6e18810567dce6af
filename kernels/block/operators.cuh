// The operators of reductions and scans, with their identities.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// Every operator has identity<T>() and combine(a, b), and says whether it ignores a NaN among its values.

/// Addition; integers wrap modulo 2^32 or 2^64 (two's complement).
struct sum {
  static constexpr bool ignores_nan = false;
  template <class T>
  static __device__ __forceinline__ T identity() {
    return T(0);
  }
  static __device__ __forceinline__ int combine(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
  static __device__ __forceinline__ long long combine(long long a, long long b) {
    return static_cast<long long>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
  }
  static __device__ __forceinline__ float combine(float a, float b) { return a + b; }
  static __device__ __forceinline__ double combine(double a, double b) { return a + b; }
};

/// Multiplication; integers wrap like those of sum.
struct product {
  static constexpr bool ignores_nan = false;
  template <class T>
  static __device__ __forceinline__ T identity() {
    return T(1);
  }
  static __device__ __forceinline__ int combine(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
  }
  static __device__ __forceinline__ long long combine(long long a, long long b) {
    return static_cast<long long>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
  }
  static __device__ __forceinline__ float combine(float a, float b) { return a * b; }
  static __device__ __forceinline__ double combine(double a, double b) { return a * b; }
};

/// The smaller value; NaN is ignored, so the minimum of no numbers is the largest value of the type.
struct min {
  static constexpr bool ignores_nan = true;
  template <class T>
  static __device__ __forceinline__ T identity() {
    return largest(T());
  }
  static __device__ __forceinline__ int combine(int a, int b) { return b < a ? b : a; }
  static __device__ __forceinline__ long long combine(long long a, long long b) { return b < a ? b : a; }
  static __device__ __forceinline__ float combine(float a, float b) { return fminf(a, b); }
  static __device__ __forceinline__ double combine(double a, double b) { return fmin(a, b); }

 private:
  static __device__ __forceinline__ int largest(int) { return 0x7fffffff; }
  static __device__ __forceinline__ long long largest(long long) { return 0x7fffffffffffffffLL; }
  static __device__ __forceinline__ float largest(float) { return __int_as_float(0x7f800000); }
  static __device__ __forceinline__ double largest(double) { return __longlong_as_double(0x7ff0000000000000LL); }
};

/// The larger value; NaN is ignored, so the maximum of no numbers is the smallest value of the type.
struct max {
  static constexpr bool ignores_nan = true;
  template <class T>
  static __device__ __forceinline__ T identity() {
    return smallest(T());
  }
  static __device__ __forceinline__ int combine(int a, int b) { return a < b ? b : a; }
  static __device__ __forceinline__ long long combine(long long a, long long b) { return a < b ? b : a; }
  static __device__ __forceinline__ float combine(float a, float b) { return fmaxf(a, b); }
  static __device__ __forceinline__ double combine(double a, double b) { return fmax(a, b); }

 private:
  static __device__ __forceinline__ int smallest(int) { return -0x7fffffff - 1; }
  static __device__ __forceinline__ long long smallest(long long) { return -0x7fffffffffffffffLL - 1; }
  static __device__ __forceinline__ float smallest(float) { return __int_as_float(static_cast<int>(0xff800000U)); }
  static __device__ __forceinline__ double smallest(double) {
    return __longlong_as_double(static_cast<long long>(0xfff0000000000000ULL));
  }
};

}  // namespace warpwright::block
