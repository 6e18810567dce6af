// reduce/cooperative_groups: the tiles of a warp combine by shuffles, level by level. One cooperative launch: a barrier
// of the whole grid separates the blocks' results from their combination.
#pragma once

#include "kernels/block/groups.cuh"
#include "kernels/reduce/persistent.cuh"

namespace warpwright::reduce {

struct cooperative_groups_params {
  int block_size = 256;
  int loads_in_flight = 4;     ///< vectors in flight per thread
  int vector_width = 1;        ///< elements per access
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  int tile_size = 32;          ///< threads that combine by shuffles
  bool operator==(const cooperative_groups_params&) const = default;
};

namespace detail {

/// Combines the values of the first Count threads of the block; thread 0 gets the result. Every thread calls it; the
/// storage may be reused after a barrier.
template <class Op, int Count, int TileSize, class T>
__device__ __forceinline__ T reduce_by_tiles(T value) {
  constexpr int kTiles = (Count + TileSize - 1) / TileSize;
  const auto tile = block::tiled_partition<TileSize>();
  if (tile.meta_group_rank() < kTiles) value = block::reduce_tile<Op>(tile, value);
  if constexpr (kTiles > 1) {
    __shared__ T results[kTiles];
    const int thread = static_cast<int>(threadIdx.x);
    if (tile.thread_rank() == 0 && tile.meta_group_rank() < kTiles) results[tile.meta_group_rank()] = value;
    __syncthreads();
    value = reduce_by_tiles<Op, kTiles, TileSize>(thread < kTiles ? results[thread] : Op::template identity<T>());
  }
  return value;
}

}  // namespace detail

/// Combines in[0..count) into *out. Cooperative launch; partials has one element per block, *arrived is zero.
template <class T, class Op, cooperative_groups_params P>
__global__ void __launch_bounds__(P.block_size, P.grid_blocks_per_sm)
    cooperative_groups(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  T value = stride_over<T, Op, P>(in, count);
  value = detail::reduce_by_tiles<Op, P.block_size, P.tile_size>(value);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;
  block::sync_grid(arrived);
  if (blockIdx.x > 0) return;
  value = combine_partials<T, Op, P.block_size>(partials, static_cast<int>(gridDim.x));
  value = detail::reduce_by_tiles<Op, P.block_size, P.tile_size>(value);
  if (threadIdx.x == 0) *out = value;
}

}  // namespace warpwright::reduce
