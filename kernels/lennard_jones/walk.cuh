// Walking along the row of an atom's neighbours.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

/// The force of all atoms in the row of `atom`, which is at `here`; place(other) is where another is.
template <block::layout Layout, int Unroll, class T, class Place>
__device__ __forceinline__ block::point<T> gather(Place place, const block::point<T>& here,
                                                  const int* __restrict__ length, const int* __restrict__ list,
                                                  const field<T>& in, long long atom, long long atoms, int capacity) {
  const int neighbors = length[atom];
  block::point<T> force{};
#pragma unroll Unroll
  for (int slot = 0; slot < neighbors; ++slot) {
    const int other = list[block::place_in_list<Layout>(atom, slot, atoms, capacity)];
    add_force(force, here, place(other), in);
  }
  return force;
}

/// force[axis * atoms + atom] = that; nothing for an atom that there is not.
template <block::layout Layout, int Unroll, class T>
__device__ __forceinline__ void gather_to(const T* __restrict__ positions, const int* __restrict__ length,
                                          const int* __restrict__ list, T* __restrict__ force, const field<T>& in,
                                          long long atom, long long atoms, int capacity) {
  if (atom >= atoms) return;
  const auto place = [=](long long other) { return block::point_at<3>(positions, other, atoms); };
  const block::point<T> sum = gather<Layout, Unroll>(place, place(atom), length, list, in, atom, atoms, capacity);
  force[atom] = sum.x;
  force[atoms + atom] = sum.y;
  force[2 * atoms + atom] = sum.z;
}

}  // namespace warpwright::lennard_jones
