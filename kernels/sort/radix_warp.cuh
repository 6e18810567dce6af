// sort/radix_warp: one warp sorts 32 keys or fewer by ballots over their bits.
#pragma once

#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

/// How a warp computes positions from bits.
enum class ballots {
  split,  ///< from the lowest bit on; every bit moves the keys through shared memory
  rank    ///< from the highest bit on; lanes count smaller keys, and keys move once
};

struct radix_warp_params {
  sort::ballots ballots = sort::ballots::rank;
  int unroll = 8;  ///< bits per iteration
  bool operator==(const radix_warp_params&) const = default;
};

namespace detail {

/// The position of the calling lane's key among those of the lanes in `there`.
template <radix_warp_params P, class Bits>
__device__ __forceinline__ int rank_in_warp(Bits key, int bits, unsigned there, int lane) {
  unsigned equal = there;
  int less = 0;
#pragma unroll P.unroll
  for (int bit = bits - 1; bit >= 0; --bit) {
    const bool is_set = (key >> bit & 1) != 0;
    const unsigned set = __ballot_sync(0xffffffffU, is_set ? 1 : 0);
    if (is_set) less += __popc(equal & ~set);
    equal &= is_set ? set : ~set;
  }
  return less + __popc(equal & ((1U << lane) - 1));
}

/// The same by moving keys bit after bit; in the end lane i has the i-th key. Returns the lane from which it came.
template <radix_warp_params P, class Bits>
__device__ __forceinline__ int lane_in_order(Bits key, int bits, unsigned there, int lane) {
  __shared__ Bits keys[32];
  __shared__ int lanes[32];
  const bool is_there = (there >> lane & 1) != 0;
  int from = lane;
#pragma unroll P.unroll
  for (int bit = 0; bit < bits; ++bit) {
    const bool is_set = (key >> bit & 1) != 0;
    const unsigned ones = __ballot_sync(0xffffffffU, is_set ? 1 : 0) & there;
    const unsigned lower = (1U << lane) - 1;
    const int to = is_set ? __popc(there & ~ones) + __popc(ones & lower) : __popc(there & ~ones & lower);
    if (is_there) {
      keys[to] = key;
      lanes[to] = from;
    }
    __syncwarp();
    if (is_there) {
      key = keys[lane];
      from = lanes[lane];
    }
    __syncwarp();
  }
  return from;
}

}  // namespace detail

/// Sorts keys[0..n), n from 1 to 32, and with Pairs their values. One block of one warp.
template <class T, bool Pairs, radix_warp_params P>
__global__ void __launch_bounds__(32)
    radix_warp(const T* __restrict__ keys, const unsigned* __restrict__ values, T* __restrict__ out,
               unsigned* __restrict__ values_out, bit_range range, int n) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned there = 0xffffffffU >> (32 - n);
  const int bits = range.end - range.begin;
  const T own = keys[min(lane, n - 1)];
  const auto key = compared_bits<T>(range).of(own);
  if constexpr (P.ballots == ballots::rank) {
    const int to = detail::rank_in_warp<P>(key, bits, there, lane);
    if (lane >= n) return;
    out[to] = own;
    if constexpr (Pairs) values_out[to] = values[lane];
  } else {
    const int from = detail::lane_in_order<P>(key, bits, there, lane);
    const T found = __shfl_sync(0xffffffffU, own, from);
    if (lane >= n) return;
    out[lane] = found;
    if constexpr (Pairs) values_out[lane] = values[from];
  }
}

}  // namespace warpwright::sort
