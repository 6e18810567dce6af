// Stable ranks of the keys of a tile by one digit: ballots find the lanes of a digit, counters in shared memory the
// rest. Source: N. Satish, M. Harris, M. Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, IPDPS 2009.
#pragma once

#include "kernels/block/scan.cuh"

namespace warpwright::block {

/// The lanes among `lanes` that have the caller's digit of Bits bits. A full warp calls it.
template <int Bits>
__device__ __forceinline__ unsigned lanes_of_digit(unsigned digit, unsigned lanes) {
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    const bool is_set = (digit >> bit & 1) != 0;
    const unsigned set = __ballot_sync(0xffffffffU, is_set ? 1 : 0);
    lanes &= is_set ? set : ~set;
  }
  return lanes;
}

/// to[d] = the sum of count_of(0) to count_of(d - 1) for all d below Radix; all threads of the block get the sum of
/// all. Contains one barrier, as exclusive_scan; what a thread wrote others see behind another.
template <int BlockSize, int Radix, class T, class CountOf>
__device__ __forceinline__ T scan_digits(CountOf count_of, T* to) {
  constexpr int kEach = (Radix + BlockSize - 1) / BlockSize;
  const int first = static_cast<int>(threadIdx.x) * kEach;
  T own[kEach];
  T sum = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    own[k] = first + k < Radix ? count_of(first + k) : T(0);
    sum += own[k];
  }
  const scanned<T> threads = exclusive_scan<add, BlockSize>(sum);
  T before = threads.value;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (first + k < Radix) to[first + k] = before;
    before += own[k];
  }
  return threads.total;
}

/// What a block keeps in shared memory while it ranks by digits of Bits bits.
template <int BlockSize, int Bits>
struct radix_counts {
  static constexpr int radix = 1 << Bits;
  unsigned of_warp[BlockSize / 32][radix];  ///< keys of a digit in a warp; then in the warps before it
  unsigned starts[radix + 1];               ///< keys of lesser digits in the tile; behind the last digit, all keys
};

/// Where item number `item` of the calling thread lies in a tile of which each warp holds 32 * Items neighbours.
template <int Items>
__device__ __forceinline__ int warp_place(int item) {
  const int thread = static_cast<int>(threadIdx.x);
  return (thread / 32 * Items + item) * 32 + thread % 32;
}

/// The rank of an item that is not there: behind all that are.
inline constexpr unsigned no_rank = 0xffffffffU;

/// ranks[i] = the place that item i gets when the tile's keys are put stably in the order of their digits; no_rank for
/// items at warp_place(i) >= present. counts.starts are set too. Contains barriers, also in front of what it returns.
template <int BlockSize, int Bits, int Items>
__device__ __forceinline__ void rank_digits(radix_counts<BlockSize, Bits>& counts, const unsigned (&digits)[Items],
                                            int present, unsigned (&ranks)[Items]) {
  constexpr int kRadix = 1 << Bits;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned* const of_warp = counts.of_warp[threadIdx.x / 32];
  for (int digit = lane; digit < kRadix; digit += 32) of_warp[digit] = 0;
  __syncwarp();

  // The lowest lane of each digit counts for all of them, item after item.
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool is_there = warp_place<Items>(i) < present;
    const unsigned there = __ballot_sync(0xffffffffU, is_there ? 1 : 0);
    const unsigned peers = lanes_of_digit<Bits>(digits[i], there);
    const int leader = is_there ? __ffs(static_cast<int>(peers)) - 1 : lane;
    unsigned before = 0;
    if (is_there && lane == leader) {
      before = of_warp[digits[i]];
      of_warp[digits[i]] = before + static_cast<unsigned>(__popc(peers));
    }
    before = __shfl_sync(0xffffffffU, before, leader);
    ranks[i] = is_there ? before + static_cast<unsigned>(__popc(peers & ((1U << lane) - 1))) : no_rank;
    __syncwarp();
  }
  __syncthreads();

  const unsigned total = scan_digits<BlockSize, kRadix, unsigned>(
      [&](int digit) {
        unsigned sum = 0;
        for (int warp = 0; warp < BlockSize / 32; ++warp) {
          const unsigned own = counts.of_warp[warp][digit];
          counts.of_warp[warp][digit] = sum;
          sum += own;
        }
        return sum;
      },
      counts.starts);
  if (threadIdx.x == 0) counts.starts[kRadix] = total;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Items; ++i)
    if (ranks[i] != no_rank) ranks[i] += counts.starts[digits[i]] + of_warp[digits[i]];
}

}  // namespace warpwright::block
