// nbody/global: one thread per body, which reads all others from global memory.
#pragma once

#include "kernels/nbody/attract.cuh"

namespace warpwright::nbody {

struct global_params {
  int block_size = 256;
  int vector_width = 4;  ///< numbers of a body per load
  int unroll = 4;
  nbody::root root = nbody::root::hardware;
  bool operator==(const global_params&) const = default;
};

/// acceleration[3 i ...] = acceleration of body i by all bodies, for i < count. Grid: one thread per body.
template <class T, global_params P>
__global__ void __launch_bounds__(P.block_size)
    global(const T* __restrict__ bodies, T* __restrict__ acceleration, T softening_squared, long long count) {
  const long long own = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (own >= count) return;
  const T place[3] = {bodies[4 * own], bodies[4 * own + 1], bodies[4 * own + 2]};
  T pull[3] = {};
#pragma unroll P.unroll
  for (long long other = 0; other < count; ++other) {
    body<T> by;
#pragma unroll
    for (int part = 0; part < 4; part += P.vector_width) {
      const vec<T, P.vector_width> loaded = load_vector_readonly<P.vector_width>(bodies + 4 * other + part);
#pragma unroll
      for (int i = 0; i < P.vector_width; ++i) by[part + i] = loaded[i];
    }
    attract<P.root>(pull, place, by, softening_squared);
  }
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) acceleration[3 * own + axis] = pull[axis];
}

}  // namespace warpwright::nbody
