// How the counts of blocks become the result: by atomics, or by a kernel that sums one row per block.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::histogram {

/// Where a block puts its counts.
enum class finish {
  atomic,  ///< added to the result, which an earlier step has zeroed
  merge    ///< written to the block's row of a table; merge_rows sums its columns
};

/// Adds a block's count of a bin to the result, or writes it to the block's row.
template <finish Finish>
__device__ __forceinline__ void hand_over(unsigned* to, unsigned bins, unsigned bin, unsigned count) {
  if constexpr (Finish == finish::merge)
    to[static_cast<long long>(blockIdx.x) * bins + bin] = count;
  else if (count > 0)
    atomicAdd(to + bin, count);
}

/// Threads of a block of merge_rows, and the bins that it sums.
inline constexpr int merge_block = 512;
inline constexpr int merge_bins = 32;

/// out[bin] = sum over the rows of table[row][bin]. Grid: one block per 32 bins; its warps take rows in turn.
static __global__ void __launch_bounds__(merge_block)
    merge_rows(const unsigned* __restrict__ table, unsigned* __restrict__ out, unsigned rows, unsigned bins) {
  constexpr unsigned kWarps = merge_block / 32;
  __shared__ unsigned sums[kWarps][32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned bin = blockIdx.x * merge_bins + lane;
  unsigned sum = 0;
  if (bin < bins)
    for (unsigned row = warp; row < rows; row += kWarps) sum += table[static_cast<long long>(row) * bins + bin];
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp > 0 || bin >= bins) return;
  for (unsigned other = 1; other < kWarps; ++other) sum += sums[other][lane];
  out[bin] = sum;
}

}  // namespace warpwright::histogram
