// Sums forces over the neighbours in an atom's row.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

/// The total force of the atoms in the row of `atom`, which is at `here`.
template <rows Layout, int Unroll, class T>
__device__ __forceinline__ block::point<T> gather(const T* __restrict__ positions, const block::point<T>& here,
                                                  const int* __restrict__ length, const int* __restrict__ list,
                                                  const field<T>& in, long long atom, long long atoms, int capacity) {
  block::point<T> force{};
  for_each_neighbor<Layout, Unroll>(positions, length, list, atom, atoms, capacity,
                                    [&](int, const block::point<T>& there) { add_force(force, here, there, in); });
  return {in.unit * force.x, in.unit * force.y, in.unit * force.z};
}

/// force[axis * atoms + atom] = gather() of the atom; does nothing if there is no such atom.
template <rows Layout, int Unroll, class T>
__device__ __forceinline__ void gather_to(const T* __restrict__ positions, const int* __restrict__ length,
                                          const int* __restrict__ list, T* __restrict__ force, const field<T>& in,
                                          long long atom, long long atoms, int capacity) {
  if (atom >= atoms) return;
  const block::point<T> here = block::point_at<3>(positions, atom, atoms);
  const block::point<T> sum = gather<Layout, Unroll>(positions, here, length, list, in, atom, atoms, capacity);
  force[atom] = sum.x;
  force[atoms + atom] = sum.y;
  force[2 * atoms + atom] = sum.z;
}

}  // namespace warpwright::lennard_jones
