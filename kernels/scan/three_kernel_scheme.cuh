// Shared by scans of any length by three kernels: tiles, their totals, and prefixes of tiles. The totals are scanned in
// the same way, level by level, until one tile holds them all.
#pragma once

#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

/// Scans the calling block's tile of in[0..n), without a prefix, into out[0..n), which may be the same array; its total
/// goes to totals[block].
template <class Tile, kind Kind, class T>
__device__ __forceinline__ void scan_tile(const T* in, T* out, T* totals, long long n) {
  const long long first = static_cast<long long>(blockIdx.x) * Tile::size;
  Tile tile;
  tile.load(in + first, n - first, detail::dynamic_shared<T>());
  const T total = tile.scan();
  tile.template store<Kind, position::first>(out + first, n - first, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// out[i] = the prefix of the tile of i, combined with out[i], for every i in [0, n) of the second tile or later. Grid:
/// one block for each tile of BlockSize * Items elements except the first. before[tile] is the prefix of a tile.
template <class T, class Op, int BlockSize, int Items, int Vector>
__global__ void __launch_bounds__(BlockSize) add_before(T* out, const T* before, long long n) {
  const long long tile = static_cast<long long>(blockIdx.x) + 1;
  const T value = before[tile];
  const long long first = tile * (BlockSize * Items) + static_cast<int>(threadIdx.x) * Vector;
#pragma unroll
  for (int i = 0; i != Items / Vector; ++i) {
    const long long at = first + i * BlockSize * Vector;
    vec<T, Vector> held = detail::load_elements<Op, Vector>(out + at, n - at);
#pragma unroll
    for (int k = 0; k != Vector; ++k) held[k] = Op::combine(value, held[k]);
    detail::store_elements<Vector>(out + at, n - at, held);
  }
}

}  // namespace warpwright::scan
