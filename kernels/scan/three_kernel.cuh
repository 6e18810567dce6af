// scan/three_kernel: tiles and their totals, the totals by the same, then every tile with what lies before it; with a
// choice of how blocks scan, and of what the first of the three kernels writes.
#pragma once

#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

/// What the first kernel does with a tile, and so the last.
enum class first_pass {
  scans,  ///< scans it: the last adds what lies before it to the results
  totals  ///< only combines it: the last reads it again and scans it behind what lies before it
};

struct three_kernel_params {
  int block_size = 256;
  int coarsening = 8;    ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  scan::block_scan block_scan = scan::block_scan::warp_shuffle;
  int bank_pad = 0;  ///< elements added after every 32 of a section in shared memory
  scan::first_pass first_pass = scan::first_pass::totals;
  bool operator==(const three_kernel_params&) const = default;
};

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel(const T* in, T* out, T* totals, long long n) {
  scan_tile<tile_of<T, Op, P>, Kind>(in, out, totals, n);
}

/// totals[tile] = the combination of the tile's elements of in[0..n). Grid: one block for each tile.
template <class T, class Op, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel_totals(const T* in, T* totals, long long n) {
  using tile_type = tile_of<T, Op, P>;
  const long long first = static_cast<long long>(blockIdx.x) * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::shared_array<T>());
  const T total = tile.scan();
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// Every tile of in[0..n) is scanned behind before[tile] into out[0..n), which may be the same array.
template <class T, class Op, kind Kind, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel_behind(const T* in, T* out, const T* before, long long n) {
  using tile_type = tile_of<T, Op, P>;
  const long long first = static_cast<long long>(blockIdx.x) * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::shared_array<T>());
  tile.scan();
  tile.template store<Kind, position::behind>(out + first, n - first, before[blockIdx.x]);
}

}  // namespace warpwright::scan
