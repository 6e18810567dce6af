// scan/decoupled_lookback: one launch reads every element once; each tile gets its prefix from the tiles before it.
#pragma once

#include "kernels/block/long_descriptor.cuh"
#include "kernels/scan/single_pass_tile.cuh"

namespace warpwright::scan {

struct decoupled_lookback_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  scan::tile_scan tile_scan = scan::tile_scan::warp_shuffle;
  int bank_pad = 0;    ///< elements added after every 32 of a tile in shared memory
  int window = 32;     ///< tiles that look-back reads together
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  block::restore restore = block::restore::last_block;
  bool operator==(const decoupled_lookback_params&) const = default;
};

/// Scans in[0..n) into out[0..n). Grid: one block for each tile of block_size * coarsening elements, which has a
/// descriptor: one word for elements of 4 bytes, two for 8. The counters (the ticket, and the number of blocks that are
/// done) are zero before and after the launch. Descriptors are zero before it; with restore::last_block also after it.
/// `in` and `out` are aligned to vectors.
template <class T, class Op, kind Kind, decoupled_lookback_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    decoupled_lookback(const T* __restrict__ in, T* __restrict__ out, unsigned long long* descriptors,
                       unsigned* counters, long long n) {
  using tile_type = single_pass_tile<T, Op, P>;
  __shared__ T before_tile;
  const bool is_first_warp = threadIdx.x / 32 == 0;

  const long long number = block::next_tile(counters);
  const long long first = number * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::dynamic_shared<T>());
  const T total = tile.scan();
  if (is_first_warp) {
    const T before = block::look_back<Op, P.window, block::full_descriptor>(descriptors, number, total);
    if (threadIdx.x == 0) before_tile = before;
  }
  __syncthreads();
  unsigned departed_before = 0;
  if (P.restore == block::restore::last_block && is_first_warp) departed_before = block::depart(counters + 1);
  tile.template store<Kind, position::behind>(out + first, n - first, before_tile);
  if (P.restore == block::restore::last_block && is_first_warp)
    block::zero_behind_last(departed_before, descriptors,
                            static_cast<long long>(gridDim.x) * block::full_descriptor<T>::words);
}

}  // namespace warpwright::scan
