// histogram/block_private: each block counts in shared memory by atomics, in copies of the bins that lanes share.
#pragma once

#include "kernels/histogram/binning.cuh"
#include "kernels/histogram/copies.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

struct block_private_params {
  int block_size = 256;
  int coarsening = 2;    ///< vectors in flight per thread
  int vector_width = 4;  ///< keys per load
  int copies = 4;        ///< of the bins; lanes take them in turn
  histogram::layout layout = histogram::layout::interleaved;
  int grid_blocks_per_sm = 4;  ///< blocks launched for each SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const block_private_params&) const = default;
};

/// Counts the keys of in[0..count) in `to`: the zeroed bins with finish::atomic, else a row for each block. Dynamic
/// shared memory: words_of_copies.
template <class Key, bool Total, block_private_params P>
__global__ void __launch_bounds__(P.block_size)
    block_private(const Key* __restrict__ in, unsigned* to, binning<Key, Total> ranges, long long count) {
  extern __shared__ unsigned counters[];
  const bin_copies<P.block_size, P.copies, P.layout> mine{counters, ranges.bins};
  const unsigned copy = threadIdx.x % P.copies;
  mine.zero();
  visit_keys_of_grid<P.block_size, P.vector_width, P.coarsening>(in, count, [&](Key key, bool present) {
    const unsigned bin = ranges.of(key);
    if (present && ranges.has(bin)) atomicAdd(mine.counter(copy, bin), 1U);
  });
  mine.template hand_over_to<P.finish>(to);
}

}  // namespace warpwright::histogram
