// compact/single_pass: one launch reads every element once; decoupled look-back tells tiles where their kept elements
// go.
#pragma once

#include "kernels/block/look_back.cuh"
#include "kernels/compact/tile_counts.cuh"

namespace warpwright::compact {

struct single_pass_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per load
  int min_blocks = 1;    ///< blocks per SM for which registers must suffice
  compact::store store = compact::store::staged;
  int window = 32;  ///< tiles that look-back reads together
  block::restore restore = block::restore::last_block;
  bool operator==(const single_pass_params&) const = default;
};

/// Writes the elements of in[0..n) that Predicate keeps to out, in order; *count becomes their number, and nothing is
/// written after them. Grid: one block for each tile of block_size * coarsening elements, which has a descriptor. The
/// counters (the ticket, and the number of blocks that are done) are zero before and after the launch. Descriptors are
/// zero before it; with restore::last_block also after it. Dynamic shared memory for a tile if it is staged. `in` is
/// aligned to vectors.
template <class T, class Predicate, single_pass_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    single_pass(const T* __restrict__ in, T* __restrict__ out, long long* count, unsigned long long* descriptors,
                unsigned* counters, long long n) {
  __shared__ long long tile_begin;
  extern __shared__ __align__(16) unsigned char staging[];
  const bool is_first_warp = threadIdx.x / 32 == 0;

  const long long tile = block::next_tile(counters);
  warp_of_tile<T, Predicate, P> warp;
  warp.read(in, tile, n);

  // The first warp finds where the tile's kept elements begin, while the other warps stage theirs.
  T* const staged = reinterpret_cast<T*>(staging);
  unsigned departed_before = 0;
  if (is_first_warp) {
    const long long before =
        block::look_back<block::add, P.window>(descriptors, tile, static_cast<long long>(warp.kept.total));
    if (threadIdx.x == 0) {
      tile_begin = before;
      if (tile + 1 == gridDim.x) *count = before + warp.kept.total;
    }
  }
  if constexpr (P.store == store::staged) warp.mine.store(staged + warp.kept.value);
  __syncthreads();
  if (P.restore == block::restore::last_block && is_first_warp) departed_before = block::depart(counters + 1);

  T* const to = out + tile_begin;
  if constexpr (P.store == store::staged) {
    for (int i = static_cast<int>(threadIdx.x); i < warp.kept.total; i += P.block_size) to[i] = staged[i];
  } else {
    warp.mine.store(to + warp.kept.value);
  }
  if (P.restore == block::restore::last_block && is_first_warp) block::zero_behind_last(departed_before, descriptors);
}

}  // namespace warpwright::compact
