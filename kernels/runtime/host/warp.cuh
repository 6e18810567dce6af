// Warp operations and bit intrinsics of CUDA as the SIMT executor models them.
#pragma once

#include "kernels/runtime/host/interface.cuh"

namespace warpwright::host {

template <class T>
__attribute__((no_sanitize("thread"), always_inline)) inline T shuffle(WarpCall call, T value, const void* site) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = runtime->warp(call, bits, site);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace warpwright::host

namespace warpwright::cuda {

template <class T>
WARPWRIGHT_UNSEEN T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return host::shuffle({host::WarpOperation::shuffle, mask, lane, width}, value, __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return host::shuffle({host::WarpOperation::shuffle_up, mask, static_cast<int>(delta), width}, value,
                       __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return host::shuffle({host::WarpOperation::shuffle_down, mask, static_cast<int>(delta), width}, value,
                       __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  return host::shuffle({host::WarpOperation::shuffle_xor, mask, lane_mask, width}, value, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void __syncwarp(unsigned mask = 0xffffffffu) {
  host::runtime->warp({host::WarpOperation::sync, mask, 0, 32}, 0, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      host::runtime->warp({host::WarpOperation::ballot, mask, 0, 32}, predicate != 0, __builtin_return_address(0)));
}
WARPWRIGHT_UNSEEN inline int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      host::runtime->warp({host::WarpOperation::any, mask, 0, 32}, predicate != 0, __builtin_return_address(0)));
}
WARPWRIGHT_UNSEEN inline int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      host::runtime->warp({host::WarpOperation::all, mask, 0, 32}, predicate != 0, __builtin_return_address(0)));
}
template <class T>
WARPWRIGHT_UNSEEN unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match compares 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return static_cast<unsigned>(
      host::runtime->warp({host::WarpOperation::match_any, mask, 0, 32}, bits, __builtin_return_address(0)));
}

/// Only the caller: which other lanes run in step is for the device to decide, and no program may rely on it.
WARPWRIGHT_UNSEEN inline unsigned __activemask() {
  return host::runtime->active_mask();
}

[[gnu::always_inline]] inline int __popc(unsigned value) {
  return __builtin_popcount(value);
}
[[gnu::always_inline]] inline int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
[[gnu::always_inline]] inline int __ffs(int value) {
  return __builtin_ffs(value);
}
[[gnu::always_inline]] inline int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
[[gnu::always_inline]] inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
[[gnu::always_inline]] inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}

inline unsigned long long __brevll(unsigned long long value) {
  unsigned long long result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= ((value >> bit) & 1u) << (63 - bit);
  return result;
}
inline unsigned __brev(unsigned value) {
  return static_cast<unsigned>(__brevll(value) >> 32);
}

}  // namespace warpwright::cuda
