// compact/pack: three launches: tiles count what they keep, the counts are scanned, and tiles write what they keep.
#pragma once

#include "kernels/compact/predicates.cuh"
#include "kernels/compact/slab.cuh"

namespace warpwright::compact {

struct pack_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per load
  int scan_block = 512;  ///< threads of the one block that scans the counts
  int min_blocks = 1;    ///< that an SM must have registers for
  bool operator==(const pack_params&) const = default;
};

/// The slab of the calling warp, in the tile of the block.
template <class T, class Predicate, pack_params P>
__device__ __forceinline__ slab<T, Predicate, P.coarsening, P.vector_width> slab_of_warp(const T* in, long long n) {
  using warp_slab = slab<T, Predicate, P.coarsening, P.vector_width>;
  const long long warp = blockIdx.x * (P.block_size / 32LL) + threadIdx.x / 32;
  warp_slab mine;
  mine.load(in + warp * warp_slab::size, n - warp * warp_slab::size);
  return mine;
}

/// counts[tile] = how many elements of the tile Predicate keeps. Grid: one block for each tile of block_size *
/// coarsening elements. `in` is aligned to vectors.
template <class T, class Predicate, pack_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    pack_count(const T* __restrict__ in, long long* counts, long long n) {
  auto mine = slab_of_warp<T, Predicate, P>(in, n);
  const block::scanned<int> kept = block::scan_warps<block::add, P.block_size>(mine.rank());
  if (threadIdx.x == 0) counts[blockIdx.x] = kept.total;
}

/// Replaces each of counts[0..tiles) by the sum of those before it; *count becomes the sum of all. Grid: one block.
template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) pack_scan(long long* counts, long long* count, long long tiles) {
  long long before = 0;
  for (long long first = 0; first < tiles; first += BlockSize) {
    const long long at = first + threadIdx.x;
    const block::scanned<long long> scanned =
        block::exclusive_scan<block::add, BlockSize>(at < tiles ? counts[at] : 0LL);
    if (at < tiles) counts[at] = before + scanned.value;
    before += scanned.total;
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = before;
}

/// Writes the elements of in[0..n) that Predicate keeps to out, those of a tile from offsets[tile] on. Grid as that of
/// pack_count.
template <class T, class Predicate, pack_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    pack(const T* __restrict__ in, T* __restrict__ out, const long long* offsets, long long n) {
  auto mine = slab_of_warp<T, Predicate, P>(in, n);
  const block::scanned<int> kept = block::scan_warps<block::add, P.block_size>(mine.rank());
  mine.store(out + offsets[blockIdx.x] + kept.value);
}

}  // namespace warpwright::compact
