// scan/warp_shuffle: warps scan by shuffles, blocks through one value per warp; elements stay in registers. Tiles are
// scanned by three kernels.
#pragma once

#include "kernels/scan/register_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

struct warp_shuffle_params {
  int block_size = 256;
  int coarsening = 8;    ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  bool operator==(const warp_shuffle_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, warp_shuffle_params P>
__global__ void __launch_bounds__(P.block_size) warp_shuffle(const T* in, T* out, T* totals, long long n) {
  scan_tile<register_tile<T, Op, P.block_size, P.coarsening, P.vector_width>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan
