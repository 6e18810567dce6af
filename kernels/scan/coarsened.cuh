// scan/coarsened: three phases in a shared-memory section. Each thread scans neighbouring elements one after the other,
// the threads' totals are scanned together, and each thread's prefix is added. Sections are scanned by three kernels.
#pragma once

#include "kernels/block/coarsened.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

struct coarsened_params {
  int block_size = 256;
  int coarsening = 8;    ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  int bank_pad = 1;      ///< elements added after every 32 of the section
  bool operator==(const coarsened_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, coarsened_params P>
__global__ void __launch_bounds__(P.block_size) coarsened(const T* in, T* out, T* totals, long long n) {
  using section = block::coarsened<P.block_size * P.coarsening, P.block_size, P.bank_pad>;
  scan_tile<section_tile<T, Op, P.block_size, P.vector_width, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan
