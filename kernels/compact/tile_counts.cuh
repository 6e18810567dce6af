// Shared by compactions with one tile per block: how warps divide a tile, and the launches that count the kept elements
// per tile and scan the counts.
#pragma once

#include "kernels/block/scan_sequence.cuh"
#include "kernels/compact/predicates.cuh"
#include "kernels/compact/slab.cuh"
#include "kernels/compact/store.cuh"

namespace warpwright::compact {

/// The ranked part of a tile that the calling warp handles, and its position.
template <class T, class Predicate, auto P>
struct warp_of_tile {
  using slab_type = slab<T, Predicate, P.coarsening, P.vector_width>;

  slab_type mine;
  long long first;           ///< the array index at which it begins
  block::scanned<int> kept;  ///< kept elements of the tile before this part, and in total

  /// Called by all P.block_size threads of the block that has tile number `tile`. Contains one barrier.
  __device__ __forceinline__ void read(const T* in, long long tile, long long n) {
    first = (tile * (P.block_size / 32) + static_cast<int>(threadIdx.x) / 32) * slab_type::size;
    mine.load(in + first, n - first);
    mine.scan();
    kept = block::scan_warps<block::add, P.block_size>(mine.kept());
  }
};

/// counts[tile] = number of kept elements of the tile. Grid: one block for each tile of block_size * coarsening
/// elements. `in` is aligned to vectors.
template <class T, class Predicate, auto P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    count_tiles(const T* __restrict__ in, long long* counts, long long n) {
  warp_of_tile<T, Predicate, P> warp;
  warp.read(in, blockIdx.x, n);
  if (threadIdx.x == 0) counts[blockIdx.x] = warp.kept.total;
}

/// Exclusive prefix sum of counts[0..tiles) in place; *count becomes the sum of all. Grid: one block.
template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) scan_counts(long long* counts, long long* count, long long tiles) {
  const long long all = block::scan_sequence<BlockSize>(counts, tiles);
  if (threadIdx.x == 0) *count = all;
}

}  // namespace warpwright::compact
