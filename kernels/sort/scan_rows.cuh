// The second level of radix sorts: where the keys of every tile begin among those of their digit.
#pragma once

#include "kernels/block/scan.cuh"

namespace warpwright::sort {

/// Exclusive prefix sum of each row of `length` numbers in place; totals[row] becomes the sum of all. Grid: one block
/// per row.
template <class Offset, int BlockSize>
__global__ void __launch_bounds__(BlockSize) scan_rows(Offset* rows, Offset* totals, long long length) {
  Offset* const row = rows + static_cast<long long>(blockIdx.x) * length;
  Offset before = 0;
  for (long long first = 0; first < length; first += BlockSize) {
    const long long at = first + threadIdx.x;
    const Offset own = at < length ? row[at] : Offset(0);
    const block::scanned<Offset> here = block::exclusive_scan<block::add, BlockSize>(own);
    if (at < length) row[at] = before + here.value;
    before += here.total;
    __syncthreads();
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

}  // namespace warpwright::sort
