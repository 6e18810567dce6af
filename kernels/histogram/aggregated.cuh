// histogram/aggregated: if keys of several lanes of a warp are in the same bin, one of these lanes adds all of them.
#pragma once

#include "kernels/block/bin_copies.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/histogram/finish.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

/// How lanes find the other lanes of their bin.
enum class match {
  any,      ///< __match_any_sync
  ballots,  ///< one ballot for each bit of the bin number
  rounds    ///< one bin after another: that of the first pending lane, with all lanes that have it
};

/// Where the leading lanes add.
enum class into {
  shared,  ///< the block's bins
  global   ///< the result
};

struct aggregated_params {
  int block_size = 256;
  int loads_in_flight = 2;  ///< vectors in flight per thread
  int vector_width = 4;     ///< keys per load
  histogram::match match = histogram::match::any;
  histogram::into into = histogram::into::shared;
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const aggregated_params&) const = default;
};

namespace detail {

inline constexpr unsigned all_lanes = 0xffffffffU;

/// The lanes of the warp with the same bin; bins are at most `most`.
template <match Match>
__device__ __forceinline__ unsigned peers_of(unsigned bin, unsigned most) {
  if constexpr (Match == match::any) return __match_any_sync(all_lanes, bin);
  unsigned peers = all_lanes;
  for (unsigned bit = 1; bit <= most; bit *= 2) {
    const bool is_set = (bin & bit) != 0;
    const unsigned set = __ballot_sync(all_lanes, is_set);
    peers &= is_set ? set : ~set;
  }
  return peers;
}

/// Adds one to counters[bin] for each lane of the warp; bin == bins means no bin.
template <match Match>
__device__ __forceinline__ void add_together(unsigned* counters, unsigned bin, unsigned bins) {
  const unsigned lane = threadIdx.x % 32;
  if constexpr (Match == match::rounds) {
    unsigned pending = __ballot_sync(all_lanes, bin < bins);
    while (pending != 0) {
      const int leader = __ffs(static_cast<int>(pending)) - 1;
      const unsigned peers = __ballot_sync(all_lanes, bin == __shfl_sync(all_lanes, bin, leader));
      if (static_cast<int>(lane) == leader) atomicAdd(counters + bin, static_cast<unsigned>(__popc(peers)));
      pending &= ~peers;
    }
  } else {
    const unsigned peers = peers_of<Match>(bin, bins);
    const bool leads = (peers & ((1U << lane) - 1)) == 0;
    if (leads && bin < bins) atomicAdd(counters + bin, static_cast<unsigned>(__popc(peers)));
  }
}

}  // namespace detail

/// Counts the keys of in[0..count) in `to`: zeroed bins for finish::atomic, else one row per block. Dynamic shared
/// memory for into::shared: one word per bin.
template <class Key, bool Total, aggregated_params P>
__global__ void __launch_bounds__(P.block_size)
    aggregated(const Key* __restrict__ in, unsigned* to, block::binning<Key, Total> ranges, long long count) {
  extern __shared__ unsigned counters[];
  const block::bin_copies<P.block_size, 1, block::copies_layout::interleaved> mine{counters, ranges.bins};
  unsigned* const added_to = P.into == into::shared ? counters : to;
  if constexpr (P.into == into::shared) mine.zero();
  visit_keys_of_grid<P.block_size, P.vector_width, P.loads_in_flight>(in, count, [&](Key key, bool present) {
    const unsigned bin = present ? min(ranges.of(key), ranges.bins) : ranges.bins;
    detail::add_together<P.match>(added_to, bin, ranges.bins);
  });
  if constexpr (P.into == into::shared)
    mine.add_up([&](unsigned bin, unsigned sum) { hand_over<P.finish>(to, ranges.bins, bin, sum); });
}

}  // namespace warpwright::histogram
