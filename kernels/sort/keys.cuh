// The order of keys: their bits as an unsigned integer of the same order, and which of these bits are compared.
#pragma once

#include "kernels/block/bits.cuh"

namespace warpwright::sort {

/// The bits of a key's ordered_bits that are compared: from `begin` up to, but not including, `end` > `begin`.
struct bit_range {
  unsigned long long flip;  ///< all ones for descending order, zero for ascending
  int begin, end;
};

/// The key as an unsigned integer with the same order. Floats: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN.
template <class T>
__device__ __forceinline__ block::bits_of<T> ordered_bits(T key) {
  using bits = block::bits_of<T>;
  constexpr bool kIsFloating = static_cast<T>(0.5) != T(0);
  constexpr bits kSign = bits(1) << (8 * sizeof(T) - 1);
  const bits own = __builtin_bit_cast(bits, key);
  if constexpr (kIsFloating)
    return own ^ ((own & kSign) != 0 ? ~bits(0) : kSign);
  else
    return static_cast<T>(-1) < T(0) ? own ^ kSign : own;
}

/// A key that is sorted after every other one: its ordered_bits are ~range.flip.
template <class T>
__device__ __forceinline__ T last_key(bit_range range) {
  using bits = block::bits_of<T>;
  constexpr bits kSign = bits(1) << (8 * sizeof(T) - 1);
  // The ordered_bits are all ones or all zeros. Floats have them flipped, other signed numbers have only the sign
  // flipped.
  const bits ordered = ~static_cast<bits>(range.flip);
  constexpr bool kIsFloating = static_cast<T>(0.5) != T(0);
  const bits own = static_cast<T>(-1) < T(0) ? ordered ^ kSign : ordered;
  return __builtin_bit_cast(T, kIsFloating && ordered == 0 ? ~bits(0) : own);
}

/// Extracts the compared bits of keys.
template <class T>
class compared_bits {
 public:
  using bits = block::bits_of<T>;

  __device__ __forceinline__ explicit compared_bits(bit_range range)
      : flip_(static_cast<bits>(range.flip)),
        mask_(~bits(0) >> (static_cast<int>(8 * sizeof(T)) - (range.end - range.begin))),
        begin_(range.begin) {}

  __device__ __forceinline__ bits of(T key) const { return (ordered_bits(key) ^ flip_) >> begin_ & mask_; }

 private:
  bits flip_, mask_;
  int begin_;
};

/// Extracts digit number `pass` of keys, the lowest first: Bits bits, or fewer in the last digit.
template <class T, int Bits>
class digits_of {
 public:
  using bits = block::bits_of<T>;

  __device__ __forceinline__ digits_of(bit_range range, int pass)
      : flip_(static_cast<bits>(range.flip)),
        shift_(range.begin + pass * Bits),
        mask_((1U << min(Bits, range.end - shift_)) - 1) {}

  __device__ __forceinline__ unsigned operator()(T key) const {
    return static_cast<unsigned>((ordered_bits(key) ^ flip_) >> shift_) & mask_;
  }

  /// A copy that the compiler cannot recognise as the same, so it extracts digits again instead of keeping those of all
  /// keys in registers. Called by a full warp.
  __device__ __forceinline__ digits_of anew() const {
    digits_of same = *this;
    same.shift_ = __shfl_sync(0xffffffffU, shift_, 0);
    return same;
  }

 private:
  bits flip_;
  int shift_;
  unsigned mask_;
};

}  // namespace warpwright::sort
