// nbody/step: one launch per step of the leapfrog computes the forces on a body, its new velocity and its new position.
#pragma once

#include "kernels/nbody/lanes.cuh"

namespace warpwright::nbody {

struct step_params {
  int block_size = 256;
  int bodies_per_thread = 4;
  int tile = 64;  ///< bodies in a warp's slice of shared memory
  int unroll = 16;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  bool operator==(const step_params&) const = default;
};

/// velocity += kick * acceleration, then to = from + drift * velocity, for `count` bodies; forces are those of the
/// positions in `from`. Grid: one block per group of bodies.
template <class T, step_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    step(const T* __restrict__ from, T* __restrict__ to, T* __restrict__ velocity, T softening_squared, T kick, T drift,
         long long count) {
  constexpr tiling kTiling{P.bodies_per_thread, P.tile, P.unroll};
  constexpr int kWarps = P.block_size / 32;
  alignas(16) __shared__ T held[held_elements(kTiling, kWarps)];
  for_each_sum<kTiling, kWarps>(held, from, softening_squared, count, [&](long long number, T sum) {
    const long long own = number / 3;
    const int axis = static_cast<int>(number % 3);
    const T speed = fma(kick, sum, velocity[number]);
    velocity[number] = speed;
    to[4 * own + axis] = fma(drift, speed, from[4 * own + axis]);
    if (axis == 2) to[4 * own + 3] = from[4 * own + 3];
  });
}

}  // namespace warpwright::nbody
