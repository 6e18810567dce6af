// histogram/warp_private: each warp, or group of a few warps, counts by atomics in its own bins in shared memory.
#pragma once

#include "kernels/block/bin_copies.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/histogram/finish.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

struct warp_private_params {
  int block_size = 64;
  int warps_per_copy = 1;   ///< neighbouring warps that share their bins
  int loads_in_flight = 2;  ///< vectors in flight per thread
  int vector_width = 4;     ///< keys per load
  block::copies_layout layout = block::copies_layout::apart;
  int grid_blocks_per_sm = 16;  ///< blocks launched per SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const warp_private_params&) const = default;
};

/// Number of copies of the bins per block.
__host__ __device__ constexpr int copies_of(const warp_private_params& p) {
  return p.block_size / 32 / p.warps_per_copy;
}

/// Counts the keys of in[0..count) in `to`: zeroed bins for finish::atomic, else one row per block. Dynamic shared
/// memory: words_of_copies.
template <class Key, bool Total, warp_private_params P>
__global__ void __launch_bounds__(P.block_size)
    warp_private(const Key* __restrict__ in, unsigned* to, block::binning<Key, Total> ranges, long long count) {
  extern __shared__ unsigned counters[];
  const block::bin_copies<P.block_size, copies_of(P), P.layout> mine{counters, ranges.bins};
  const unsigned copy = threadIdx.x / 32 / P.warps_per_copy;
  mine.zero();
  visit_keys_of_grid<P.block_size, P.vector_width, P.loads_in_flight>(in, count, [&](Key key, bool present) {
    const unsigned bin = ranges.of(key);
    if (present && ranges.has(bin)) atomicAdd(mine.counter(copy, bin), 1U);
  });
  mine.add_up([&](unsigned bin, unsigned sum) { hand_over<P.finish>(to, ranges.bins, bin, sum); });
}

}  // namespace warpwright::histogram
