// The plain histogram that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/block/binning.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::histogram {

/// Adds the keys of in[0..count) to the bins `out`, which are zero before the launch. Blocks of 256 threads.
template <class Key>
__global__ void __launch_bounds__(256) reference(const Key* in, unsigned* out, unsigned bins, long long count) {
  const block::binning<Key, false> ranges{bins};
  const long long stride = static_cast<long long>(gridDim.x) * 256;
  for (long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x; i < count; i += stride) {
    const unsigned bin = ranges.of(in[i]);
    if (bin < bins) atomicAdd(out + bin, 1U);
  }
}

}  // namespace warpwright::histogram
