// lennard_jones/scale_velocity: brings the atoms to a temperature by multiplying all velocities by one number.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"

namespace warpwright::lennard_jones {

struct scale_velocity_params {
  int block_size = 256;
  int coarsening = 4;  ///< velocities that a thread scales
  int sums = 128;      ///< most blocks that sum squares; each block of the second launch adds up their sums
  bool operator==(const scale_velocity_params&) const = default;
};

/// sums[block] = sum of squares of the velocities that a block reads. Grid: any number of blocks.
template <class T, scale_velocity_params P>
__global__ void __launch_bounds__(P.block_size)
    sum_squares(const T* __restrict__ velocity, T* __restrict__ sums, long long coordinates) {
  const long long all = static_cast<long long>(gridDim.x) * P.block_size;
  T sum = 0;
  for (long long at = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x; at < coordinates; at += all)
    sum = fma(velocity[at], velocity[at], sum);
  sum = block::reduce_shuffle<block::add, P.block_size>(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// velocity *= sqrt(wanted / total of sums); unchanged if the total is 0. Grid: one thread per `coarsening` velocities.
template <class T, scale_velocity_params P>
__global__ void __launch_bounds__(P.block_size)
    scale_velocity(T* __restrict__ velocity, const T* __restrict__ sums, int count, T wanted, long long coordinates) {
  __shared__ T factor;
  T sum = 0;
  for (int at = static_cast<int>(threadIdx.x); at < count; at += P.block_size) sum += sums[at];
  sum = block::reduce_shuffle<block::add, P.block_size>(sum);
  if (threadIdx.x == 0) factor = sum > T(0) ? sqrt(wanted / sum) : T(1);
  __syncthreads();
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + i * P.block_size;
    if (at < coordinates) velocity[at] *= factor;
  }
}

}  // namespace warpwright::lennard_jones
