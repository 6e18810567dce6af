// lennard_jones/force_gather: a thread has one atom and sums over all of its neighbours.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

struct force_gather_params {
  int block_size = 128;
  int unroll = 4;
  block::layout layout = block::layout::by_slot;
  int min_blocks = 1;  ///< blocks an SM has room for
  bool operator==(const force_gather_params&) const = default;
};

/// force[axis * atoms + atom] = that of all neighbours, whose rows hold all of them. Grid: one thread an atom.
template <class T, force_gather_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    force_gather(const T* __restrict__ positions, const int* __restrict__ length, const int* __restrict__ list,
                 T* __restrict__ force, field<T> in, long long atoms, int capacity) {
  const long long atom = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (atom >= atoms) return;
  const block::point<T> here = block::point_at<3>(positions, atom, atoms);
  const int neighbors = length[atom];
  block::point<T> sum{};
#pragma unroll P.unroll
  for (int slot = 0; slot < neighbors; ++slot) {
    const int other = list[block::place_in_list<P.layout>(atom, slot, atoms, capacity)];
    add_force(sum, here, block::point_at<3>(positions, other, atoms), in);
  }
  force[atom] = sum.x;
  force[atoms + atom] = sum.y;
  force[2 * atoms + atom] = sum.z;
}

}  // namespace warpwright::lennard_jones
