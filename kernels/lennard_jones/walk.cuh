// Walking along the row of an atom's neighbours.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

/// The force of all atoms in the row of `atom`, which is at `here`. A neighbour's number is read while the one before
/// it is looked at.
template <block::layout Layout, int Unroll, class T>
__device__ __forceinline__ block::point<T> gather(const T* __restrict__ positions, const block::point<T>& here,
                                                  const int* __restrict__ length, const int* __restrict__ list,
                                                  const field<T>& in, long long atom, long long atoms, int capacity) {
  const int neighbors = length[atom];
  block::point<T> force{};
  const auto number_in = [&](int slot) { return list[block::place_in_list<Layout>(atom, slot, atoms, capacity)]; };
  int next = neighbors > 0 ? number_in(0) : 0;
#pragma unroll Unroll
  for (int slot = 0; slot < neighbors; ++slot) {
    const int other = next;
    if (slot + 1 < neighbors) next = number_in(slot + 1);
    add_force(force, here, block::point_at<3>(positions, other, atoms), in);
  }
  return force;
}

/// force[axis * atoms + atom] = that; nothing for an atom that there is not.
template <block::layout Layout, int Unroll, class T>
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
