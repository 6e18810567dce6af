// The second level of radix sorts: where the keys of every tile begin among those of their digit.
#pragma once

#include "kernels/block/scan_sequence.cuh"

namespace warpwright::sort {

/// Exclusive prefix sum of each row of `length` numbers in place; totals[row] becomes the sum of all. Grid: one block
/// per row.
template <class Offset, int BlockSize>
__global__ void __launch_bounds__(BlockSize) scan_rows(Offset* rows, Offset* totals, long long length) {
  const Offset all = block::scan_sequence<BlockSize>(rows + static_cast<long long>(blockIdx.x) * length, length);
  if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

}  // namespace warpwright::sort
