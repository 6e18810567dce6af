// histogram/block_private: each block counts in shared memory by atomics, in several copies of the bins, each shared by
// some lanes.
#pragma once

#include "kernels/block/bin_copies.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/histogram/finish.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

struct block_private_params {
  int block_size = 256;
  int loads_in_flight = 2;   ///< vectors in flight per thread
  int vector_width = 4;      ///< keys per load
  bool loads_ahead = false;  ///< a thread's next vectors are loaded while it counts
  int copies = 4;            ///< of the bins; lanes take them in turn
  block::copies_layout layout = block::copies_layout::interleaved;
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const block_private_params&) const = default;
};

/// Counts the keys of in[0..count) in `to`: zeroed bins for finish::atomic, else one row per block. Dynamic shared
/// memory: words_of_copies.
template <class Key, bool Total, block_private_params P>
__global__ void __launch_bounds__(P.block_size)
    block_private(const Key* __restrict__ in, unsigned* to, block::binning<Key, Total> ranges, long long count) {
  extern __shared__ unsigned counters[];
  const block::bin_copies<P.block_size, P.copies, P.layout> mine{counters, ranges.bins};
  const unsigned copy = threadIdx.x % P.copies;
  mine.zero();
  visit_keys_of_grid<P.block_size, P.vector_width, P.loads_in_flight, P.loads_ahead>(
      in, count, [&](Key key, bool present) {
        const unsigned bin = ranges.of(key);
        if (present && ranges.has(bin)) atomicAdd(mine.counter(copy, bin), 1U);
      });
  mine.add_up([&](unsigned bin, unsigned sum) { hand_over<P.finish>(to, ranges.bins, bin, sum); });
}

}  // namespace warpwright::histogram
