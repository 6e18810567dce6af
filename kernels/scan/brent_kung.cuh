// scan/brent_kung: an upward and a downward sweep of a tree in a shared-memory section; the fewest combinations with at
// most two steps per level. Sections are scanned by three kernels.
#pragma once

#include "kernels/block/brent_kung.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

struct brent_kung_params {
  int block_size = 256;
  int coarsening = 2;    ///< elements of the section per thread
  int vector_width = 2;  ///< elements per global access
  block::mapping mapping = block::mapping::contiguous;
  int bank_pad = 1;  ///< elements added after every 32 of the section
  bool operator==(const brent_kung_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, brent_kung_params P>
__global__ void __launch_bounds__(P.block_size) brent_kung(const T* in, T* out, T* totals, long long n) {
  using section = block::brent_kung<P.block_size * P.coarsening, P.block_size, P.mapping, P.bank_pad>;
  scan_tile<section_tile<T, Op, P.block_size, P.vector_width, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan
