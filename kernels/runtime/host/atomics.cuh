// CUDA's atomics as the SIMT executor models them: checked, a scheduling point, then done in one piece.
#pragma once

#include "kernels/runtime/host/interface.cuh"

namespace warpwright::host {

template <class T, class... Ts>
inline constexpr bool one_of = (__is_same(T, Ts) || ...);

/// Returns when the calling thread may do its atomic operation: no other thread runs until it is done.
template <class T>
__attribute__((no_sanitize("thread"))) void before_atomic(const T* address, const void* site) {
  runtime->access(address, sizeof(T) | access_atomic | access_write, site);
}

/// What the device's float adder does with subnormal numbers in global memory: a zero of the same sign.
__attribute__((no_sanitize("thread"))) inline float without_subnormals(float value) {
  return __builtin_fabsf(value) < __FLT_MIN__ ? __builtin_copysignf(0.0f, value) : value;
}

}  // namespace warpwright::host

namespace warpwright::cuda {

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long, float, double> WARPWRIGHT_UNSEEN T
atomicAdd(T* address, host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  if constexpr (__is_same(T, float)) {
    const bool flush = host::runtime->is_shared(address) == 0;
    *address =
        flush ? host::without_subnormals(host::without_subnormals(old) + host::without_subnormals(value)) : old + value;
  } else {
    *address = old + value;
  }
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned> WARPWRIGHT_UNSEEN T atomicSub(T* address, host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = old - value;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, long long, unsigned long long> WARPWRIGHT_UNSEEN T
atomicMin(T* address, host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = value < old ? value : old;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, long long, unsigned long long> WARPWRIGHT_UNSEEN T
atomicMax(T* address, host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = old < value ? value : old;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long> WARPWRIGHT_UNSEEN T atomicAnd(T* address,
                                                                                          host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = old & value;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long> WARPWRIGHT_UNSEEN T atomicOr(T* address,
                                                                                         host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = old | value;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long> WARPWRIGHT_UNSEEN T atomicXor(T* address,
                                                                                          host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = old ^ value;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long, float> WARPWRIGHT_UNSEEN T atomicExch(T* address,
                                                                                                  host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = value;
  return old;
}

template <class T>
requires host::one_of<T, int, unsigned, unsigned long long, unsigned short> WARPWRIGHT_UNSEEN T
atomicCAS(T* address, host::same<T> compare, host::same<T> value) {
  host::before_atomic(address, __builtin_return_address(0));
  const T old = *address;
  if (old == compare) *address = value;
  return old;
}

WARPWRIGHT_UNSEEN inline unsigned atomicInc(unsigned* address, unsigned limit) {
  host::before_atomic(address, __builtin_return_address(0));
  const unsigned old = *address;
  *address = old >= limit ? 0 : old + 1;
  return old;
}

WARPWRIGHT_UNSEEN inline unsigned atomicDec(unsigned* address, unsigned limit) {
  host::before_atomic(address, __builtin_return_address(0));
  const unsigned old = *address;
  *address = old == 0 || old > limit ? limit : old - 1;
  return old;
}

}  // namespace warpwright::cuda
