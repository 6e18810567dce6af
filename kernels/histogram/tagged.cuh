// histogram/tagged: each warp counts in its own bins without atomics; a tag tells a lane whether its count was kept.
// Source: V. Podlozhnyuk, Histogram calculation in CUDA, 2007; __syncwarp, missing there, is added.
#pragma once

#include "kernels/block/bin_copies.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/histogram/finish.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

struct tagged_params {
  int block_size = 64;
  int loads_in_flight = 2;  ///< vectors in flight per thread
  int vector_width = 4;     ///< keys per load
  block::copies_layout layout = block::copies_layout::apart;
  int grid_blocks_per_sm = 16;  ///< blocks launched per SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const tagged_params&) const = default;
};

/// A counter has 5 bits for the lane that wrote it last, and below them a count.
inline constexpr int tagged_count_bits = 27;

namespace detail {

inline constexpr unsigned tagged_count_mask = (1U << tagged_count_bits) - 1;

/// Adds one to the counter of each lane that counts; several lanes may have the same counter. All lanes of the warp
/// call it, and no other warp uses these counters. Volatile accesses are relaxed: of several stores one wins, and after
/// the barrier all lanes see the same value.
__device__ __forceinline__ void add_tagged(volatile unsigned* counter, bool counts) {
  const unsigned tag = threadIdx.x % 32 << tagged_count_bits;
  while (__any_sync(0xffffffffU, counts)) {
    unsigned mine = 0;
    if (counts) mine = tag | ((*counter & tagged_count_mask) + 1);
    __syncwarp();
    if (counts) *counter = mine;
    __syncwarp();
    if (counts) counts = *counter != mine;
  }
}

}  // namespace detail

/// Counts the keys of in[0..count) in `to`: zeroed bins for finish::atomic, else one row per block. Dynamic shared
/// memory: words_of_copies, one copy per warp. A warp counts fewer than 2^27 keys.
template <class Key, bool Total, tagged_params P>
__global__ void __launch_bounds__(P.block_size)
    tagged(const Key* __restrict__ in, unsigned* to, block::binning<Key, Total> ranges, long long count) {
  extern __shared__ unsigned counters[];
  const block::bin_copies<P.block_size, P.block_size / 32, P.layout> mine{counters, ranges.bins};
  const unsigned copy = threadIdx.x / 32;
  mine.zero();
  visit_keys_of_grid<P.block_size, P.vector_width, P.loads_in_flight>(in, count, [&](Key key, bool present) {
    const unsigned bin = ranges.of(key);
    const bool counts = present && ranges.has(bin);
    detail::add_tagged(mine.counter(copy, counts ? bin : 0), counts);
  });
  mine.add_up([&](unsigned bin, unsigned sum) { hand_over<P.finish>(to, ranges.bins, bin, sum); },
              detail::tagged_count_mask);
}

}  // namespace warpwright::histogram
