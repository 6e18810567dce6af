// Walking along the row of an atom's neighbours.
#pragma once

#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

/// The atom of the calling thread, where so many lanes share one.
template <int BlockSize, int Lanes>
__device__ __forceinline__ long long own_atom() {
  return (static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x) / Lanes;
}

/// The force of all atoms in the row of `atom`, which is at `here`, for the first of the Lanes that share it. The
/// others of it are called with the same, as many as there are atoms.
template <block::layout Layout, int Unroll, int Lanes = 1, class T>
__device__ __forceinline__ block::point<T> gather(const T* __restrict__ positions, const block::point<T>& here,
                                                  const int* __restrict__ length, const int* __restrict__ list,
                                                  const field<T>& in, long long atom, long long atoms, int capacity) {
  const auto lanes = block::tiled_partition<Lanes>();
  const int neighbors = length[atom];
  block::point<T> force{};
#pragma unroll Unroll
  for (int slot = lanes.thread_rank(); slot < neighbors; slot += Lanes) {
    const int other = list[block::place_in_list<Layout>(atom, slot, atoms, capacity)];
    add_force(force, here, block::point_at<3>(positions, other, atoms), in);
  }
  return {block::reduce_tile<block::add>(lanes, force.x), block::reduce_tile<block::add>(lanes, force.y),
          block::reduce_tile<block::add>(lanes, force.z)};
}

/// force[axis * atoms + atom] = that; nothing for an atom that there is not.
template <block::layout Layout, int Unroll, int Lanes = 1, class T>
__device__ __forceinline__ void gather_to(const T* __restrict__ positions, const int* __restrict__ length,
                                          const int* __restrict__ list, T* __restrict__ force, const field<T>& in,
                                          long long atom, long long atoms, int capacity) {
  if (atom >= atoms) return;
  const block::point<T> here = block::point_at<3>(positions, atom, atoms);
  const block::point<T> sum = gather<Layout, Unroll, Lanes>(positions, here, length, list, in, atom, atoms, capacity);
  if (block::tiled_partition<Lanes>().thread_rank() > 0) return;
  force[atom] = sum.x;
  force[atoms + atom] = sum.y;
  force[2 * atoms + atom] = sum.z;
}

}  // namespace warpwright::lennard_jones
