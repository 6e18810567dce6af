// scan/kogge_stone: in log2 steps every element is combined with the one 1, 2, 4, ... before it, in a section of shared
// memory; sections by three kernels.
#pragma once

#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

struct kogge_stone_params {
  int block_size = 256;
  int coarsening = 2;    ///< elements of the section per thread
  int vector_width = 2;  ///< elements per global access
  block::buffering buffering = block::buffering::double_buffer;
  bool operator==(const kogge_stone_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, kogge_stone_params P>
__global__ void __launch_bounds__(P.block_size) kogge_stone(const T* in, T* out, T* totals, long long n) {
  using section = block::kogge_stone<P.block_size * P.coarsening, P.block_size, P.buffering>;
  scan_tile<section_tile<T, Op, P.block_size, P.vector_width, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan
