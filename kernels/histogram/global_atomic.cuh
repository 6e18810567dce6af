// histogram/global_atomic: every key is one atomic addition in global memory.
#pragma once

#include "kernels/block/binning.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

struct global_atomic_params {
  int block_size = 256;
  int loads_in_flight = 1;     ///< vectors in flight per thread
  int vector_width = 4;        ///< keys per load
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  bool operator==(const global_atomic_params&) const = default;
};

/// Adds the keys of in[0..count) to the bins `out`, which are zero before the launch.
template <class Key, bool Total, global_atomic_params P>
__global__ void __launch_bounds__(P.block_size)
    global_atomic(const Key* __restrict__ in, unsigned* out, block::binning<Key, Total> ranges, long long count) {
  visit_keys_of_grid<P.block_size, P.vector_width, P.loads_in_flight>(in, count, [&](Key key, bool present) {
    const unsigned bin = ranges.of(key);
    if (present && ranges.has(bin)) atomicAdd(out + bin, 1U);
  });
}

}  // namespace warpwright::histogram
