// Stable ranks of the keys of a tile by one digit. Ballots find the lanes with the same digit, and counters in shared
// memory do the rest. Source: N. Satish, M. Harris, M. Garland, Designing Efficient Sorting Algorithms for Manycore
// GPUs, IPDPS 2009.
//
// A warp holds neighbouring keys of the tile, dealt to its lanes in turn, and has counters of its own. They count its
// keys of each digit, either during ranking or before it. place_digits then replaces all counts by the positions, in
// digit order, at which each warp's keys of each digit begin. Keys that were counted before are ranked at these
// positions.
#pragma once

#include "kernels/block/scan.cuh"

namespace warpwright::block {

namespace detail {

/// The lanes of a full warp whose bit `mask` of a digit equals the caller's. Takes three instructions; the compiler
/// makes six of a ballot in C++.
__device__ __forceinline__ unsigned lanes_of_bit(unsigned digit, unsigned mask) {
  unsigned lanes;
  asm volatile(
      "{ .reg .pred is_set; .reg .b32 own; and.b32 own, %1, %2; setp.ne.u32 is_set, own, 0;"
      " vote.sync.ballot.b32 %0, is_set, 0xffffffff; @!is_set not.b32 %0, %0; }"
      : "=r"(lanes)
      : "r"(digit), "r"(mask));
  return lanes;
}

}  // namespace detail

/// The lanes of a warp that have the caller's digit of Bits bits. A full warp calls it.
template <int Bits>
__device__ __forceinline__ unsigned lanes_of_digit(unsigned digit) {
  unsigned lanes = 0xffffffffU;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) lanes &= detail::lanes_of_bit(digit, 1U << bit);
  return lanes;
}

/// The order in which lanes of a warp take turns at the counter of a digit that they share.
enum class turns {
  by_lane,    ///< lower lanes first, found by ballots
  by_arrival  ///< as their atomics arrive: in any order
};

/// Calls place(i, turn) for each of the calling thread's Items keys (an array, or anything with keys[i]). `turn` is the
/// old value of the digit's counter, plus one for each lane that came before. All lanes' turns for one key come before
/// those for the next key. Each key increments its counter. Called by a full warp with counters of its own; each lane
/// has Together keys in flight.
template <turns Order, int Bits, int Together, int Items, class Keys, class DigitOf, class Place>
__device__ __forceinline__ void take_turns(unsigned* counters, const Keys& keys, const DigitOf& digit_of, Place place) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int first = 0; first < Items; first += Together) {
    const int count = Items - first < Together ? Items - first : Together;
    unsigned peers[Together];
    unsigned before[Together];
    if constexpr (Order == turns::by_lane) {
#pragma unroll
      for (int k = 0; k < count; ++k) peers[k] = lanes_of_digit<Bits>(digit_of(keys[first + k]));
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
      unsigned* const counter = counters + digit_of(keys[first + k]);
      if constexpr (Order == turns::by_lane) {
        const auto many = static_cast<unsigned>(__popc(peers[k]));
        before[k] = *counter;
        __syncwarp();
        // The highest lane with a digit adds for all of them.
        if (peers[k] >> lane == 1) *counter = before[k] + many;
      } else {
        before[k] = atomicAdd(counter, 1U);
      }
      __syncwarp();
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
      if constexpr (Order == turns::by_lane) before[k] += static_cast<unsigned>(__popc(peers[k] & ((1U << lane) - 1)));
      place(first + k, before[k]);
    }
  }
}

/// How the threads of a block share Radix digits: each has `each` neighbouring digits, the last threads perhaps none.
template <int BlockSize, int Radix>
struct digit_share {
  static constexpr int each = (Radix + BlockSize - 1) / BlockSize;

  /// Calls use(digit, k) for the calling thread's digits, k from 0.
  template <class Use>
  static __device__ __forceinline__ void for_each(Use use) {
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int digit = static_cast<int>(threadIdx.x) * each + k;
      if (digit < Radix) use(digit, k);
    }
  }
};

/// to[d] = sum of count_of(0) to count_of(d - 1) for all d below Radix. Calls count_of(digit, k) for the calling
/// thread's share. Contains one barrier, like exclusive_scan; other threads see the results only after another barrier.
template <int BlockSize, int Radix, class T, class CountOf>
__device__ __forceinline__ void scan_digits(CountOf count_of, T* to) {
  using share = digit_share<BlockSize, Radix>;
  T own[share::each];
  T sum = 0;
  share::for_each([&](int digit, int k) {
    own[k] = count_of(digit, k);
    sum += own[k];
  });
  T before = exclusive_scan<add, BlockSize>(sum).value;
  share::for_each([&](int digit, int k) {
    to[digit] = before;
    before += own[k];
  });
}

/// What a block keeps in shared memory while it ranks by digits of Bits bits.
template <int BlockSize, int Bits>
struct radix_counts {
  static constexpr int radix = 1 << Bits;
  unsigned of_warp[BlockSize / 32][radix];  ///< a warp's keys of a digit; later the position at which they begin in
                                            ///< digit order
  unsigned starts[radix];                   ///< keys of smaller digits in the tile
};

/// The calling warp's counters.
template <int BlockSize, int Bits>
__device__ __forceinline__ unsigned* own_counters(radix_counts<BlockSize, Bits>& counts) {
  return counts.of_warp[threadIdx.x / 32];
}

/// Sets the calling warp's counters to zero. Its lanes may use them at once.
template <int BlockSize, int Bits>
__device__ __forceinline__ void zero_counters(radix_counts<BlockSize, Bits>& counts) {
  for (int digit = static_cast<int>(threadIdx.x) % 32; digit < 1 << Bits; digit += 32) own_counters(counts)[digit] = 0;
  __syncwarp();
}

/// Counts the calling warp's keys before ranking. Its counters must be zero.
template <class T, int Items, int BlockSize, int Bits, class DigitOf>
__device__ __forceinline__ void count_keys(radix_counts<BlockSize, Bits>& counts, const T (&keys)[Items],
                                           const DigitOf& digit_of) {
#pragma unroll
  for (int i = 0; i < Items; ++i) atomicAdd(own_counters(counts) + digit_of(keys[i]), 1U);
}

/// Sets counts.starts, and replaces the counts of all warps by the positions at which their keys begin. Calls
/// on_count(digit, k, count) with the tile's count of each digit of the calling thread's share. Begins and ends with a
/// barrier.
template <int BlockSize, int Bits, class OnCount>
__device__ __forceinline__ void place_digits(radix_counts<BlockSize, Bits>& counts, OnCount on_count) {
  constexpr int kRadix = 1 << Bits;
  constexpr int kWarps = BlockSize / 32;
  using share = digit_share<BlockSize, kRadix>;
  unsigned before[share::each][kWarps];
  __syncthreads();
  scan_digits<BlockSize, kRadix>(
      [&](int digit, int k) {
        unsigned count = 0;
#pragma unroll
        for (int warp = 0; warp < kWarps; ++warp) {
          before[k][warp] = count;
          count += counts.of_warp[warp][digit];
        }
        on_count(digit, k, count);
        return count;
      },
      counts.starts);
  share::for_each([&](int digit, int k) {
#pragma unroll
    for (int warp = 0; warp < kWarps; ++warp) counts.of_warp[warp][digit] = counts.starts[digit] + before[k][warp];
  });
  __syncthreads();
}

/// The position of item number `item` of the calling thread in a tile; each warp holds 32 * Items neighbours.
template <int Items>
__device__ __forceinline__ int warp_place(int item) {
  const int thread = static_cast<int>(threadIdx.x);
  return (thread / 32 * Items + item) * 32 + thread % 32;
}

/// ranks[i] = the position of keys[i] after a stable sort of the tile by digit_of(key). keys[i] is at warp_place(i)
/// before. Also sets counts.starts. digit_of.anew() is a copy that the compiler cannot recognise as the same. For
/// on_count see place_digits. Contains barriers.
template <int Together, class T, int Items, int BlockSize, int Bits, class DigitOf, class OnCount>
__device__ __forceinline__ void rank_digits(radix_counts<BlockSize, Bits>& counts, const T (&keys)[Items],
                                            const DigitOf& digit_of, OnCount on_count, unsigned (&ranks)[Items]) {
  zero_counters(counts);
  take_turns<turns::by_lane, Bits, Together, Items>(own_counters(counts), keys, digit_of,
                                                    [&](int i, unsigned turn) { ranks[i] = turn; });
  place_digits(counts, on_count);
  const DigitOf digit_again = digit_of.anew();
#pragma unroll
  for (int i = 0; i < Items; ++i) ranks[i] += own_counters(counts)[digit_again(keys[i])];
}

}  // namespace warpwright::block
