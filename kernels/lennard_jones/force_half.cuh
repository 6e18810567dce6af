// lennard_jones/force_half: every pair is evaluated once, and added to both atoms by atomics.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

struct force_half_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_slot;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  bool operator==(const force_half_params&) const = default;
};

/// Adds to force[axis * atoms + atom], which is zero before the launch, the forces of both atoms of every pair. Rows
/// hold neighbours with greater numbers. Grid: one thread per atom.
template <class T, force_half_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    force_half(const T* __restrict__ positions, const int* __restrict__ length, const int* __restrict__ list,
               T* __restrict__ force, field<T> in, long long atoms, int capacity) {
  const long long atom = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (atom >= atoms) return;
  const block::point<T> here = block::point_at<3>(positions, atom, atoms);
  block::point<T> sum{};
  for_each_neighbor<P.layout, P.unroll>(positions, length, list, atom, atoms, capacity,
                                        [&](long long other, const block::point<T>& there) {
                                          block::point<T> pair{};
                                          add_force(pair, here, there, in);
                                          // Beyond the cutoff there is nothing to add.
                                          if (pair.x == T(0) && pair.y == T(0) && pair.z == T(0)) return;
                                          pair = {in.unit * pair.x, in.unit * pair.y, in.unit * pair.z};
                                          sum.x += pair.x;
                                          sum.y += pair.y;
                                          sum.z += pair.z;
                                          atomicAdd(force + other, -pair.x);
                                          atomicAdd(force + atoms + other, -pair.y);
                                          atomicAdd(force + 2 * atoms + other, -pair.z);
                                        });
  atomicAdd(force + atom, sum.x);
  atomicAdd(force + atoms + atom, sum.y);
  atomicAdd(force + 2 * atoms + atom, sum.z);
}

}  // namespace warpwright::lennard_jones
