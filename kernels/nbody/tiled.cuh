// nbody/tiled: one thread per body; a block reads tiles of the others from shared memory.
#pragma once

#include "kernels/nbody/attract.cuh"

namespace warpwright::nbody {

struct tiled_params {
  int block_size = 256;
  int tile = 256;  ///< bodies in shared memory
  int unroll = 8;
  bool operator==(const tiled_params&) const = default;
};

/// acceleration[3 i ...] = acceleration of body i by all bodies, for i < count. After the last body, a tile holds
/// bodies without mass. Grid: one thread per body. Source: L. Nyland, M. Harris, J. Prins, GPU Gems 3 (2007), chapter
/// 31.
template <class T, tiled_params P>
__global__ void __launch_bounds__(P.block_size)
    tiled(const T* __restrict__ bodies, T* __restrict__ acceleration, T softening_squared, long long count) {
  alignas(16) __shared__ T staged[4 * P.tile];
  const long long own = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  body<T> mine{};
  if (own < count) mine = load_vector<4>(bodies + 4 * own);
  const T place[3] = {mine[0], mine[1], mine[2]};
  T pull[3] = {};
  for (long long first = 0; first < count; first += P.tile) {
    for (int at = static_cast<int>(threadIdx.x); at < P.tile; at += P.block_size) {
      body<T> other{};
      if (first + at < count) other = load_vector<4>(bodies + 4 * (first + at));
      store_vector(staged + 4 * at, other);
    }
    __syncthreads();
#pragma unroll P.unroll
    for (int at = 0; at < P.tile; ++at)
      attract<root::hardware>(pull, place, load_vector<4>(staged + 4 * at), softening_squared);
    __syncthreads();
  }
  if (own >= count) return;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) acceleration[3 * own + axis] = pull[axis];
}

}  // namespace warpwright::nbody
