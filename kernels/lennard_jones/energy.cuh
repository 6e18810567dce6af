// lennard_jones/energy: the kinetic and potential energy of all atoms, one thread per atom, summed by blocks.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"
#include "kernels/lennard_jones/lists.cuh"

namespace warpwright::lennard_jones {

/// How the sums of blocks are added up.
enum class energy_finish {
  atomic,        ///< each block adds its sum to the result
  second_kernel  ///< one block adds them up
};

struct energy_params {
  int block_size = 128;
  int unroll = 1;
  rows layout = rows::by_four;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  energy_finish finish = energy_finish::atomic;
  bool operator==(const energy_params&) const = default;
};

namespace detail {

/// {kinetic, potential} of a block, in thread 0. Contains two barriers.
template <int BlockSize, class T>
__device__ __forceinline__ void sum_both(T& kinetic, T& potential) {
  kinetic = block::reduce_shuffle<block::add, BlockSize>(kinetic);
  __syncthreads();
  potential = block::reduce_shuffle<block::add, BlockSize>(potential);
}

}  // namespace detail

/// sums[0] += half_mass v^2 and sums[1] += epsilon4 ((sigma / r)^12 - (sigma / r)^6) over pairs nearer than the cutoff;
/// both are zero before the launch. Or sums[block] and sums[blocks + block] = the parts of a block's atoms. Rows hold
/// neighbours with greater numbers. Grid: one thread per atom.
template <class T, energy_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    energy(const T* __restrict__ positions, const T* __restrict__ velocity, const int* __restrict__ length,
           const int* __restrict__ list, T* __restrict__ sums, field<T> in, T epsilon4, T half_mass, long long atoms,
           int capacity) {
  const long long atom = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  T kinetic = 0;
  T potential = 0;
  if (atom < atoms) {
    kinetic = half_mass * squared(block::point_at<3>(velocity, atom, atoms));
    const block::point<T> here = block::point_at<3>(positions, atom, atoms);
    for_each_neighbor<P.layout, P.unroll>(
        positions, length, list, atom, atoms, capacity, [&](int, const block::point<T>& there) {
          const T r_squared = squared(nearest_image(here, there, in.side, in.inverse_side));
          if (r_squared >= in.cutoff_squared) return;
          const T ratio = in.sigma_squared * detail::reciprocal(r_squared);
          const T sixth = ratio * ratio * ratio;
          potential = fma(epsilon4 * sixth, sixth - T(1), potential);
        });
  }
  detail::sum_both<P.block_size>(kinetic, potential);
  if (threadIdx.x != 0) return;
  if constexpr (P.finish == energy_finish::atomic) {
    atomicAdd(sums, kinetic);
    atomicAdd(sums + 1, potential);
  } else {
    sums[blockIdx.x] = kinetic;
    sums[gridDim.x + blockIdx.x] = potential;
  }
}

/// energy = {kinetic, potential}, summed over `blocks` blocks. Grid: one block.
template <class T, energy_params P>
__global__ void __launch_bounds__(P.block_size)
    energy_of_blocks(const T* __restrict__ sums, T* __restrict__ energy, int blocks) {
  T kinetic = 0;
  T potential = 0;
  for (int at = static_cast<int>(threadIdx.x); at < blocks; at += P.block_size) {
    kinetic += sums[at];
    potential += sums[blocks + at];
  }
  detail::sum_both<P.block_size>(kinetic, potential);
  if (threadIdx.x != 0) return;
  energy[0] = kinetic;
  energy[1] = potential;
}

}  // namespace warpwright::lennard_jones
