// Decoupled look-back for many chains at once, one per digit: finds where a tile's keys of a digit begin among all keys
// of that digit. Source: A. Adinets, D. Merrill, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs,
// arXiv:2206.01784 (2022).
//
// A descriptor is one word: a count, and in the lowest two bits a code for what it counts. After a pass all descriptors
// are prefixes. The codes rotate, so in the next pass the same words mean that nothing is known yet. State and count
// share the word, so relaxed accesses suffice.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::sort {

/// What a descriptor counts.
enum class counted : unsigned {
  nothing = 0,   ///< not known yet
  own_keys = 1,  ///< the tile's keys of the digit
  up_to_it = 2   ///< those of all tiles up to this one
};

/// In pass 0, words that are zero mean `nothing`. A Word of 4 bytes counts to 2^30 - 1, one of 8 bytes to 2^62 - 1.
template <class Word>
__device__ __forceinline__ Word pack_counted(counted what, Word count, int pass) {
  return count << 2 | static_cast<Word>((static_cast<unsigned>(what) + 2 * static_cast<unsigned>(pass)) % 3);
}

template <class Word>
__device__ __forceinline__ counted counted_in(Word descriptor, int pass) {
  return static_cast<counted>((static_cast<unsigned>(descriptor & 3) + static_cast<unsigned>(pass)) % 3);
}

/// A tile's link in the chain of a digit, held by one thread. Tiles are assigned in the order in which blocks start;
/// `pass` is the number of earlier passes on the same descriptors. Window descriptors are loaded together.
template <int Window, class Word>
class digit_link {
 public:
  /// Publishes the tile's `count` keys of the digit, and loads the descriptors of the tiles before it. `descriptors`
  /// are those of the digit, `stride` apart.
  __device__ __forceinline__ void publish(Word* descriptors, long long stride, long long tile, Word count, int pass) {
    descriptors_ = descriptors;
    stride_ = stride;
    tile_ = tile;
    count_ = count;
    pass_ = pass;
    store_relaxed(at(tile), pack_counted(tile == 0 ? counted::up_to_it : counted::own_keys, count, pass));
    if (tile > 0) load_window(tile - 1);
  }

  /// Returns how many keys of the digit the earlier tiles have; publishes that number plus the tile's own.
  __device__ __forceinline__ Word look_back() {
    if (tile_ == 0) return 0;
    Word before = 0;
    bool is_done = false;
    for (long long nearest = tile_ - 1;;) {
#pragma unroll
      for (int k = 0; k < Window; ++k) {
        if (is_done) continue;
        while (counted_in(seen_[k], pass_) == counted::nothing) seen_[k] = load_relaxed(at(nearest - k));
        before += seen_[k] >> 2;
        is_done = counted_in(seen_[k], pass_) == counted::up_to_it;
      }
      if (is_done) break;
      nearest -= Window;
      load_window(nearest);
    }
    store_relaxed(at(tile_), pack_counted(counted::up_to_it, before + count_, pass_));
    return before;
  }

 private:
  __device__ __forceinline__ Word* at(long long tile) const {
    return descriptors_ + tile * stride_;
  }

  __device__ __forceinline__ void load_window(long long nearest) {
#pragma unroll
    for (int k = 0; k < Window; ++k) seen_[k] = load_relaxed(at(max(nearest - k, 0LL)));
  }

  Word* descriptors_;
  long long stride_, tile_;
  Word count_;
  int pass_;
  Word seen_[Window];
};

}  // namespace warpwright::sort
