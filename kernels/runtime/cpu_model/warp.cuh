// CUDA's warp operations in the simulator.
// Declares: __shfl_* __*_sync __syncwarp __activemask
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// The type in which a warp operation handles a T: small integers become int, others stay.
template <class T>
struct Promoted {
  using type = T;
};
template <class T>
requires(sizeof(T) < 4 && requires(T value) { value << 1; }) struct Promoted<T> {
  using type = decltype(T{} << 1);
};
template <class T>
using promoted = typename Promoted<T>::type;

template <class T>
__attribute__((no_sanitize("thread"), always_inline)) inline unsigned long long bits_of(T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "a warp operation takes 2, 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
__attribute__((no_sanitize("thread"), always_inline)) inline T shuffle(WarpCall call, T value, const void* site) {
  const unsigned long long bits = runtime->warp(call, bits_of(value), site);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

template <class T>
WARPWRIGHT_UNSEEN simulator::promoted<T> __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return simulator::shuffle<simulator::promoted<T>>({simulator::WarpOperation::shuffle, mask, lane, width}, value,
                                                    __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN simulator::promoted<T> __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return simulator::shuffle<simulator::promoted<T>>(
      {simulator::WarpOperation::shuffle_up, mask, static_cast<int>(delta), width}, value, __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN simulator::promoted<T> __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return simulator::shuffle<simulator::promoted<T>>(
      {simulator::WarpOperation::shuffle_down, mask, static_cast<int>(delta), width}, value,
      __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN simulator::promoted<T> __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  return simulator::shuffle<simulator::promoted<T>>({simulator::WarpOperation::shuffle_xor, mask, lane_mask, width},
                                                    value, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void __syncwarp(unsigned mask = 0xffffffffu) {
  simulator::runtime->warp({simulator::WarpOperation::sync, mask, 0, 32}, 0, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(simulator::runtime->warp({simulator::WarpOperation::ballot, mask, 0, 32}, predicate != 0,
                                                        __builtin_return_address(0)));
}
WARPWRIGHT_UNSEEN inline int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(simulator::runtime->warp({simulator::WarpOperation::any, mask, 0, 32}, predicate != 0,
                                                   __builtin_return_address(0)));
}
WARPWRIGHT_UNSEEN inline int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(simulator::runtime->warp({simulator::WarpOperation::all, mask, 0, 32}, predicate != 0,
                                                   __builtin_return_address(0)));
}
template <class T>
WARPWRIGHT_UNSEEN unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(simulator::runtime->warp({simulator::WarpOperation::match_any, mask, 0, 32},
                                                        simulator::bits_of<simulator::promoted<T>>(value),
                                                        __builtin_return_address(0)));
}
/// *are_same becomes 1 if all lanes of the mask have the same value, else 0.
template <class T>
WARPWRIGHT_UNSEEN unsigned __match_all_sync(unsigned mask, T value, int* are_same) {
  const void* const site = __builtin_return_address(0);
  const auto matched = static_cast<unsigned>(simulator::runtime->warp(
      {simulator::WarpOperation::match_all, mask, 0, 32}, simulator::bits_of<simulator::promoted<T>>(value), site));
  simulator::runtime->access(are_same, sizeof(int) | simulator::access_write, site);
  *are_same = matched != 0 ? 1 : 0;
  return matched;
}

// Reduces the lower 32 bits of all lanes. For signed numbers the top bit is flipped before comparing.
#define WARPWRIGHT_REDUCE(operation, type, flip)                                                                 \
  WARPWRIGHT_UNSEEN inline type __reduce_##operation##_sync(unsigned mask, type value) {                         \
    return static_cast<type>((flip) ^ static_cast<unsigned>(simulator::runtime->warp(                            \
                                          {simulator::WarpOperation::reduce_##operation, mask, 0, 32},           \
                                          (flip) ^ static_cast<unsigned>(value), __builtin_return_address(0)))); \
  }
WARPWRIGHT_REDUCE(add, int, 0u)
WARPWRIGHT_REDUCE(add, unsigned, 0u)
WARPWRIGHT_REDUCE(min, int, 0x80000000u)
WARPWRIGHT_REDUCE(min, unsigned, 0u)
WARPWRIGHT_REDUCE(max, int, 0x80000000u)
WARPWRIGHT_REDUCE(max, unsigned, 0u)
WARPWRIGHT_REDUCE(and, unsigned, 0u)
WARPWRIGHT_REDUCE(or, unsigned, 0u)
WARPWRIGHT_REDUCE(xor, unsigned, 0u)
#undef WARPWRIGHT_REDUCE

/// Only the caller: the GPU decides which other lanes run in step, and no program may rely on them.
WARPWRIGHT_UNSEEN inline unsigned __activemask() {
  return simulator::runtime->active_mask();
}

}  // namespace warpwright::cuda
