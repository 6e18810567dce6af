// Tile descriptors for 8-byte values that use all their bits.
#pragma once

#include "kernels/block/look_back.cuh"

namespace warpwright::block {

/// Like short_descriptor for any value of 8 bytes: two words, each with the state and half of the value. A tile
/// publishes each state once, so two words with the same state belong together. A reader that sees two states reads
/// again.
template <class T>
struct long_descriptor {
  static_assert(sizeof(T) == 8, "a value of two words");
  static constexpr int words = 2;

  static __device__ __forceinline__ void publish(unsigned long long* descriptors, long long tile, tile_state state,
                                                 T value) {
    // Not const: nvcc 13.0 would evaluate it before T is known, and stop with an internal error.
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    store_relaxed(descriptors + 2 * tile, bits << 32 | static_cast<unsigned>(state));
    store_relaxed(descriptors + 2 * tile + 1, bits >> 32 << 32 | static_cast<unsigned>(state));
  }

  static __device__ __forceinline__ tile_descriptor<T> read(const unsigned long long* descriptors, long long tile) {
    const unsigned long long low = load_relaxed(descriptors + 2 * tile);
    const unsigned long long high = load_relaxed(descriptors + 2 * tile + 1);
    const tile_state state = state_of(low) == state_of(high) ? state_of(low) : tile_state::unknown;
    return {state, __builtin_bit_cast(T, high >> 32 << 32 | low >> 32)};
  }
};

namespace detail {

template <class T, int Bytes>
struct any_descriptor : short_descriptor<T> {};
template <class T>
struct any_descriptor<T, 8> : long_descriptor<T> {};

}  // namespace detail

/// For any value of 4 or 8 bytes.
template <class T>
struct full_descriptor : detail::any_descriptor<T, static_cast<int>(sizeof(T))> {};

}  // namespace warpwright::block
