// Decoupled look-back of many chains at once, one a digit: where a tile's keys of a digit begin among all of them.
// Source: A. Adinets, D. Merrill, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs, arXiv:2206.01784
// (2022).
//
// A descriptor is one word: a count, and in the lowest two bits a code for what it counts. Behind a pass all
// descriptors are prefixes; the codes rotate, so that in the next pass the same words say that nothing is known yet.
// State and count share the word: relaxed accesses suffice.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::sort {

/// What a descriptor counts.
enum class counted : unsigned {
  nothing = 0,   ///< not known yet
  own_keys = 1,  ///< the tile's keys of the digit
  up_to_it = 2   ///< those of all tiles up to this one
};

/// Words that are zero say `nothing` in pass 0. A Word of 4 bytes counts below 2^30, one of 8 bytes below 2^62.
template <class Word>
__device__ __forceinline__ Word pack_counted(counted what, Word count, int pass) {
  return count << 2 | static_cast<Word>((static_cast<unsigned>(what) + 2 * static_cast<unsigned>(pass)) % 3);
}

template <class Word>
__device__ __forceinline__ counted counted_in(Word descriptor, int pass) {
  return static_cast<counted>((static_cast<unsigned>(descriptor & 3) + static_cast<unsigned>(pass)) % 3);
}

/// Publishes that the tile has `count` keys of a digit, looks back for how many the tiles before it have, and publishes
/// the sum. Descriptors of the digit are `stride` apart, of which `tile` is the calling thread's; Window of them are
/// loaded together. Tiles are handed out in the order in which blocks start.
template <int Window, class Word>
__device__ __forceinline__ Word digit_look_back(Word* descriptors, long long stride, long long tile, Word count,
                                                int pass) {
  Word* const own = descriptors + tile * stride;
  if (tile == 0) {
    store_relaxed(own, pack_counted(counted::up_to_it, count, pass));
    return 0;
  }
  store_relaxed(own, pack_counted(counted::own_keys, count, pass));
  Word before = 0;
  bool is_done = false;
  for (long long nearest = tile - 1; !is_done; nearest -= Window) {
    Word seen[Window];
#pragma unroll
    for (int k = 0; k < Window; ++k) seen[k] = load_relaxed(descriptors + max(nearest - k, 0LL) * stride);
#pragma unroll
    for (int k = 0; k < Window; ++k) {
      if (is_done) continue;
      while (counted_in(seen[k], pass) == counted::nothing)
        seen[k] = load_relaxed(descriptors + (nearest - k) * stride);
      const Word keys = seen[k] >> 2;
      before += keys;
      is_done = counted_in(seen[k], pass) == counted::up_to_it;
    }
  }
  store_relaxed(own, pack_counted(counted::up_to_it, before + count, pass));
  return before;
}

}  // namespace warpwright::sort
