// lennard_jones/force_only: the device computes only the forces. Positions and forces cross the bus in each step, and
// the host moves the atoms.
#pragma once

#include "kernels/lennard_jones/walk.cuh"

namespace warpwright::lennard_jones {

struct force_only_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_four;
  int min_blocks = 1;      ///< blocks per SM for which registers must suffice
  int skin_tenths = 10;    ///< how far beyond the cutoff lists reach, in tenths of an angstrom
  int rebuild_every = 20;  ///< steps between two builds of the lists
  bool operator==(const force_only_params&) const = default;
};

/// force[axis * atoms + atom] = sum over all neighbours. Rows hold all neighbours. Grid: one thread per atom.
template <class T, force_only_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    force_only(const T* __restrict__ positions, const int* __restrict__ length, const int* __restrict__ list,
               T* __restrict__ force, field<T> in, long long atoms, int capacity) {
  gather_to<P.layout, P.unroll>(positions, length, list, force, in,
                                static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x, atoms, capacity);
}

}  // namespace warpwright::lennard_jones
