// lennard_jones/integrate: velocity Verlet in two launches per step: one computes the forces, the other moves the
// atoms.
#pragma once

#include "kernels/lennard_jones/walk.cuh"

namespace warpwright::lennard_jones {

struct integrate_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_four;
  int min_blocks = 1;      ///< blocks per SM for which registers must suffice
  int skin_tenths = 10;    ///< how far beyond the cutoff lists reach, in tenths of an angstrom
  int rebuild_every = 20;  ///< steps between two builds of the lists
  int coarsening = 1;      ///< coordinates of a thread that moves atoms
  bool operator==(const integrate_params&) const = default;
};

/// force[axis * atoms + atom] = sum over all neighbours. Rows hold all neighbours. Grid: one thread per atom.
template <class T, integrate_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    integrate_forces(const T* __restrict__ positions, const int* __restrict__ length, const int* __restrict__ list,
                     T* __restrict__ force, field<T> in, long long atoms, int capacity) {
  gather_to<P.layout, P.unroll>(positions, length, list, force, in,
                                static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x, atoms, capacity);
}

/// velocity += kick * force, then positions += drift * velocity. Grid: one thread per `coarsening` coordinates. Source:
/// L. Verlet, Physical Review 159 (1967).
template <class T, integrate_params P>
__global__ void __launch_bounds__(P.block_size)
    integrate(const T* __restrict__ force, T* __restrict__ velocity, T* __restrict__ positions, T kick, T drift,
              long long coordinates) {
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + i * P.block_size;
    if (at >= coordinates) return;
    const T speed = fma(kick, force[at], velocity[at]);
    velocity[at] = speed;
    positions[at] = fma(drift, speed, positions[at]);
  }
}

}  // namespace warpwright::lennard_jones
