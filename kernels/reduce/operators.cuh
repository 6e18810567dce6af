// The operators of the reduce pattern: identity, combination, and combination with a value in global memory.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::reduce {

/// Addition; integers wrap modulo 2^32.
struct sum {
  template <class T>
  static __device__ __forceinline__ T identity() {
    return T(0);
  }
  static __device__ __forceinline__ int combine(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
  static __device__ __forceinline__ float combine(float a, float b) { return a + b; }
  static __device__ __forceinline__ double combine(double a, double b) { return a + b; }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    atomicAdd(to, value);
  }
};

namespace detail {

/// Replaces *to by Op::combine(*to, value) with compare-and-swap.
template <class Op>
__device__ __forceinline__ void combine_by_swap(float* to, float value) {
  auto* address = reinterpret_cast<int*>(to);
  int seen = *reinterpret_cast<volatile int*>(to);
  while (true) {
    const float combined = Op::combine(__int_as_float(seen), value);
    const int before = atomicCAS(address, seen, __float_as_int(combined));
    if (before == seen) return;
    seen = before;
  }
}
template <class Op>
__device__ __forceinline__ void combine_by_swap(double* to, double value) {
  auto* address = reinterpret_cast<unsigned long long*>(to);
  unsigned long long seen = *reinterpret_cast<volatile unsigned long long*>(to);
  while (true) {
    const double combined = Op::combine(__longlong_as_double(static_cast<long long>(seen)), value);
    const unsigned long long before =
        atomicCAS(address, seen, static_cast<unsigned long long>(__double_as_longlong(combined)));
    if (before == seen) return;
    seen = before;
  }
}

}  // namespace detail

/// The smaller value; NaN is ignored, so the minimum of no numbers is the largest value of the type.
struct min {
  template <class T>
  static __device__ __forceinline__ T identity() {
    return largest(T());
  }
  static __device__ __forceinline__ int combine(int a, int b) { return b < a ? b : a; }
  static __device__ __forceinline__ float combine(float a, float b) { return fminf(a, b); }
  static __device__ __forceinline__ double combine(double a, double b) { return fmin(a, b); }
  static __device__ __forceinline__ void combine_at(int* to, int value) { atomicMin(to, value); }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    detail::combine_by_swap<min>(to, value);
  }

 private:
  static __device__ __forceinline__ int largest(int) { return 0x7fffffff; }
  static __device__ __forceinline__ float largest(float) { return __int_as_float(0x7f800000); }
  static __device__ __forceinline__ double largest(double) { return __longlong_as_double(0x7ff0000000000000LL); }
};

/// The larger value; NaN is ignored, so the maximum of no numbers is the smallest value of the type.
struct max {
  template <class T>
  static __device__ __forceinline__ T identity() {
    return smallest(T());
  }
  static __device__ __forceinline__ int combine(int a, int b) { return a < b ? b : a; }
  static __device__ __forceinline__ float combine(float a, float b) { return fmaxf(a, b); }
  static __device__ __forceinline__ double combine(double a, double b) { return fmax(a, b); }
  static __device__ __forceinline__ void combine_at(int* to, int value) { atomicMax(to, value); }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    detail::combine_by_swap<max>(to, value);
  }

 private:
  static __device__ __forceinline__ int smallest(int) { return -0x7fffffff - 1; }
  static __device__ __forceinline__ float smallest(float) { return __int_as_float(static_cast<int>(0xff800000U)); }
  static __device__ __forceinline__ double smallest(double) {
    return __longlong_as_double(static_cast<long long>(0xfff0000000000000ULL));
  }
};

}  // namespace warpwright::reduce
