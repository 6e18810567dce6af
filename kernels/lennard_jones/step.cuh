// lennard_jones/step: one launch per step computes the forces on an atom, its new velocity and its new position.
#pragma once

#include "kernels/lennard_jones/walk.cuh"

namespace warpwright::lennard_jones {

struct step_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_four;
  int min_blocks = 1;       ///< blocks per SM for which registers must suffice
  int skin_tenths = 10;     ///< how far beyond the cutoff lists reach, in tenths of an angstrom
  int rebuild_every = 20;   ///< steps between two builds of the lists
  int cells_per_reach = 2;  ///< cells that the reach spans: with narrower cells there are fewer atoms to test
  bool operator==(const step_params&) const = default;
};

/// velocity += kick * force, then to = from + drift * velocity, for atoms whose rows hold all neighbours. Arrays hold
/// all x, all y, all z. Grid: one thread per atom. Source: L. Verlet, Physical Review 159 (1967).
template <class T, step_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    step(const T* __restrict__ from, T* __restrict__ to, T* __restrict__ velocity, const int* __restrict__ length,
         const int* __restrict__ list, field<T> in, T kick, T drift, long long atoms, int capacity) {
  const long long atom = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (atom >= atoms) return;
  const block::point<T> here = block::point_at<3>(from, atom, atoms);
  const block::point<T> sum = gather<P.layout, P.unroll>(from, here, length, list, in, atom, atoms, capacity);
  const T forces[3] = {sum.x, sum.y, sum.z};
  const T places[3] = {here.x, here.y, here.z};
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const T speed = fma(kick, forces[axis], velocity[axis * atoms + atom]);
    velocity[axis * atoms + atom] = speed;
    to[axis * atoms + atom] = fma(drift, speed, places[axis]);
  }
}

}  // namespace warpwright::lennard_jones
