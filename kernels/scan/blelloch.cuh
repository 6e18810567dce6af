// scan/blelloch: an upward sweep of a tree in a shared-memory section computes sums, and a downward sweep computes what
// lies before each node. Sections are scanned by three kernels.
#pragma once

#include "kernels/block/blelloch.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

struct blelloch_params {
  int block_size = 256;
  int coarsening = 2;    ///< elements of the section per thread
  int vector_width = 2;  ///< elements per global access
  int bank_pad = 1;      ///< elements of padding, to shift the banks
  int pad_every = 32;    ///< elements between two paddings
  bool operator==(const blelloch_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, blelloch_params P>
__global__ void __launch_bounds__(P.block_size) blelloch(const T* in, T* out, T* totals, long long n) {
  using section = block::blelloch<P.block_size * P.coarsening, P.block_size, P.bank_pad, P.pad_every>;
  scan_tile<section_tile<T, Op, P.block_size, P.vector_width, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan
