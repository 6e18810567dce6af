// compact/partition in three launches: tiles count their kept elements, the counts are scanned, and tiles write the
// kept elements to the front and the others after all kept ones. The partition is stable in both parts.
#pragma once

#include "kernels/compact/tile_counts.cuh"

namespace warpwright::compact {

struct partition_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per load
  int min_blocks = 1;    ///< blocks per SM for which registers must suffice
  compact::store store = compact::store::staged;
  int scan_block = 512;  ///< threads of the one block that scans the counts
  bool operator==(const partition_params&) const = default;
};

/// Writes the kept elements of in[0..n) to out, those of a tile from offsets[tile] on; the others follow after all
/// *count kept ones. Grid as for count_tiles; dynamic shared memory for one tile if it is staged.
template <class T, class Predicate, partition_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    partition(const T* __restrict__ in, T* __restrict__ out, const long long* offsets, const long long* count,
              long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  extern __shared__ __align__(16) unsigned char staging[];
  warp_of_tile<T, Predicate, P> warp;
  warp.read(in, blockIdx.x, n);

  const long long tile_begin = static_cast<long long>(blockIdx.x) * kTile;
  T* const kept_to = out + offsets[blockIdx.x];
  T* const rest_to = out + *count + tile_begin - offsets[blockIdx.x];
  const long long rest_before = warp.first - tile_begin - warp.kept.value;
  if constexpr (P.store == store::direct) {
    warp.mine.store_both(kept_to + warp.kept.value, rest_to + rest_before, n - warp.first);
  } else {
    T* const staged = reinterpret_cast<T*>(staging);
    const int elements = static_cast<int>(min(static_cast<long long>(kTile), n - tile_begin));
    warp.mine.store_both(staged + warp.kept.value, staged + warp.kept.total + rest_before, n - warp.first);
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < elements; i += P.block_size)
      (i < warp.kept.total ? kept_to : rest_to - warp.kept.total)[i] = staged[i];
  }
}

}  // namespace warpwright::compact
