// nbody/register_tiled: several bodies per thread, so that one load from shared memory serves all of them.
#pragma once

#include "kernels/nbody/lanes.cuh"

namespace warpwright::nbody {

/// Who sums the forces on a body.
enum class combine {
  atomics,  ///< all warps get equal shares of groups and tiles, and add their sums to the result by atomics
  block     ///< the warps of a block, each with some of the tiles; their sums are added in order
};

struct register_tiled_params {
  int block_size = 256;
  int bodies_per_thread = 4;
  int tile = 64;  ///< bodies in a warp's slice of shared memory
  int unroll = 16;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  nbody::combine combine = nbody::combine::atomics;
  int grid_blocks_per_sm = 4;  ///< for combine::atomics; otherwise 1
  bool operator==(const register_tiled_params&) const = default;
};

/// acceleration[3 i ...] = acceleration of body i by all bodies, for i < count; with atomics it is zero before the
/// launch. Grid: any with atomics, else one block per group of bodies.
template <class T, register_tiled_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    register_tiled(const T* __restrict__ bodies, T* __restrict__ acceleration, T softening_squared, long long count) {
  constexpr tiling kTiling{P.bodies_per_thread, P.tile, P.unroll};
  constexpr int kWarps = P.block_size / 32;
  alignas(16)
      __shared__ T held[P.combine == combine::block ? held_elements(kTiling, kWarps) : slice_elements(kTiling, kWarps)];
  if constexpr (P.combine == combine::block) {
    for_each_sum<kTiling, kWarps>(held, bodies, softening_squared, count,
                                  [&](long long number, T sum) { acceleration[number] = sum; });
  } else {
    constexpr int kGroup = bodies_of_group(kTiling);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const long long tiles = (count + P.tile - 1) / P.tile;
    const long long units = (count + kGroup - 1) / kGroup * tiles;
    const long long warps = static_cast<long long>(gridDim.x) * kWarps;
    const long long turn = static_cast<long long>(blockIdx.x) * kWarps + warp;
    const long long more = units % warps;
    long long unit = units / warps * turn + min(turn, more);
    const long long end = unit + units / warps + (turn < more ? 1 : 0);
    while (unit < end) {
      const long long group = unit / tiles;
      const long long stop = min((group + 1) * tiles, end);
      lane_bodies<T, kTiling> mine(bodies, group, count);
      for (; unit < stop; ++unit)
        mine.add_tile(held + slice_elements(kTiling, warp), bodies, unit - group * tiles, softening_squared, count);
#pragma unroll
      for (int c = 0; c < P.bodies_per_thread; ++c) {
        const long long own = group * kGroup + mine.number(c);
        if (own >= count) continue;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) atomicAdd(acceleration + 3 * own + axis, mine.pull[c][axis]);
      }
    }
  }
}

}  // namespace warpwright::nbody
