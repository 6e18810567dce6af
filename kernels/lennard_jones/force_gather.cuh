// lennard_jones/force_gather: one thread per atom sums over all of its neighbours.
#pragma once

#include "kernels/lennard_jones/walk.cuh"

namespace warpwright::lennard_jones {

struct force_gather_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_four;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  bool operator==(const force_gather_params&) const = default;
};

/// force[axis * atoms + atom] = sum over all neighbours. Rows hold all neighbours. Grid: one thread per atom.
template <class T, force_gather_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    force_gather(const T* __restrict__ positions, const int* __restrict__ length, const int* __restrict__ list,
                 T* __restrict__ force, field<T> in, long long atoms, int capacity) {
  gather_to<P.layout, P.unroll>(positions, length, list, force, in,
                                static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x, atoms, capacity);
}

}  // namespace warpwright::lennard_jones
