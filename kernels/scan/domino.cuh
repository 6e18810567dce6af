// scan/domino: one launch. Every tile waits for the prefix that its left neighbour passes on, combines it with its own
// total and passes that on. Tiles are assigned in the order in which blocks start.
#pragma once

#include "kernels/block/chained_scan.cuh"
#include "kernels/block/long_descriptor.cuh"
#include "kernels/scan/single_pass_tile.cuh"

namespace warpwright::scan {

struct domino_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  scan::tile_scan tile_scan = scan::tile_scan::warp_shuffle;
  int bank_pad = 0;  ///< elements added after every 32 of a tile in shared memory
  bool operator==(const domino_params&) const = default;
};

/// Scans in[0..n) into out[0..n). Grid: one block for each tile of block_size * coarsening elements, which has a
/// descriptor as in decoupled_lookback. Descriptors and *ticket are zero before and after the launch.
/// Source: S. Yan, G. Long, Y. Zhang, StreamScan, PPoPP 2013.
template <class T, class Op, kind Kind, domino_params P>
__global__ void __launch_bounds__(P.block_size) domino(const T* __restrict__ in, T* __restrict__ out,
                                                       unsigned long long* descriptors, unsigned* ticket, long long n) {
  using tile_type = single_pass_tile<T, Op, P>;
  __shared__ T before_tile;

  const long long number = block::next_tile(ticket);
  const long long first = number * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::dynamic_shared<T>());
  const T total = tile.scan();
  if (threadIdx.x == 0)
    before_tile = block::chained_prefix<Op, block::full_descriptor>(descriptors, number, gridDim.x, total);
  __syncthreads();
  tile.template store<Kind, position::behind>(out + first, n - first, before_tile);
}

}  // namespace warpwright::scan
