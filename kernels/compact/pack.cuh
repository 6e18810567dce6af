// compact/pack in three launches: tiles count their kept elements, the counts are scanned, and tiles write their kept
// elements.
#pragma once

#include "kernels/compact/tile_counts.cuh"

namespace warpwright::compact {

struct pack_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per load
  int min_blocks = 1;    ///< blocks per SM for which registers must suffice
  int scan_block = 512;  ///< threads of the one block that scans the counts
  bool operator==(const pack_params&) const = default;
};

/// Writes the elements of in[0..n) that Predicate keeps to out; a tile begins at offsets[tile]. Grid as for
/// count_tiles.
template <class T, class Predicate, pack_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    pack(const T* __restrict__ in, T* __restrict__ out, const long long* offsets, long long n) {
  warp_of_tile<T, Predicate, P> warp;
  warp.read(in, blockIdx.x, n);
  warp.mine.store(out + offsets[blockIdx.x] + warp.kept.value);
}

}  // namespace warpwright::compact
