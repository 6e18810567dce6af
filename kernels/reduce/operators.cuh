// The operators of the reduce pattern: those of block/, extended by combining with a value in global memory.
#pragma once

#include "kernels/block/bits.cuh"
#include "kernels/block/operators.cuh"

namespace warpwright::reduce {

namespace detail {

/// Replaces *to by Op::combine(*to, value) with compare-and-swap.
template <class Op, class T>
__device__ __forceinline__ void combine_by_swap(T* to, T value) {
  using bits = block::bits_of<T>;
  auto* address = reinterpret_cast<bits*>(to);
  bits seen = *static_cast<volatile bits*>(address);
  while (true) {
    const T combined = Op::combine(__builtin_bit_cast(T, seen), value);
    const bits before = atomicCAS(address, seen, __builtin_bit_cast(bits, combined));
    if (before == seen) return;
    seen = before;
  }
}

}  // namespace detail

struct sum : block::sum {
  static __device__ __forceinline__ void combine_at(long long* to, long long value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
  }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    atomicAdd(to, value);
  }
};

struct product : block::product {
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    detail::combine_by_swap<product>(to, value);
  }
};

struct min : block::min {
  static __device__ __forceinline__ void combine_at(int* to, int value) { atomicMin(to, value); }
  static __device__ __forceinline__ void combine_at(long long* to, long long value) { atomicMin(to, value); }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    detail::combine_by_swap<min>(to, value);
  }
};

struct max : block::max {
  static __device__ __forceinline__ void combine_at(int* to, int value) { atomicMax(to, value); }
  static __device__ __forceinline__ void combine_at(long long* to, long long value) { atomicMax(to, value); }
  template <class T>
  static __device__ __forceinline__ void combine_at(T* to, T value) {
    detail::combine_by_swap<max>(to, value);
  }
};

}  // namespace warpwright::reduce
