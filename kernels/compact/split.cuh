// compact/split: one launch puts packed elements back to where a predicate holds, and writes zeros elsewhere. This
// undoes a selection. Decoupled look-back tells tiles which packed elements are theirs.
#pragma once

#include "kernels/block/look_back.cuh"
#include "kernels/compact/tile_counts.cuh"

namespace warpwright::compact {

struct split_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per access
  int min_blocks = 1;    ///< blocks per SM for which registers must suffice
  int window = 32;       ///< tiles that look-back reads together
  block::restore restore = block::restore::last_block;
  bool operator==(const split_params&) const = default;
};

/// out[i] = packed[number of kept elements in in[0..i)] if Predicate keeps in[i], else 0, for all i in [0, n). Grid,
/// descriptors and counters as for single_pass. `in` and `out` are aligned to vectors.
template <class T, class Predicate, split_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    split(const T* __restrict__ in, const T* __restrict__ packed, T* __restrict__ out, unsigned long long* descriptors,
          unsigned* counters, long long n) {
  __shared__ long long tile_begin;
  const bool is_first_warp = threadIdx.x / 32 == 0;
  const long long tile = block::next_tile(counters);
  warp_of_tile<T, Predicate, P> warp;
  warp.read(in, tile, n);
  if (is_first_warp) {
    const long long before =
        block::look_back<block::add, P.window>(descriptors, tile, static_cast<long long>(warp.kept.total));
    if (threadIdx.x == 0) tile_begin = before;
  }
  __syncthreads();
  unsigned departed_before = 0;
  if (P.restore == block::restore::last_block && is_first_warp) departed_before = block::depart(counters + 1);
  warp.mine.refill(packed + tile_begin + warp.kept.value);
  warp.mine.store_all(out + warp.first, n - warp.first);
  if (P.restore == block::restore::last_block && is_first_warp) block::zero_behind_last(departed_before, descriptors);
}

}  // namespace warpwright::compact
