// reduce/unrolled_warp: the tree of reduce/sequential, but one warp computes the last six levels without a block
// barrier.
#pragma once

#include "kernels/reduce/tree.cuh"

namespace warpwright::reduce {

using unrolled_warp_params = tree_params;

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per block_size * coarsening elements. Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007. Its
/// warp-synchronous form is undefined since sm_70: a __syncwarp is needed between a lane's store and another lane's
/// load.
template <class T, class Op, unrolled_warp_params P>
__global__ void __launch_bounds__(P.block_size)
    unrolled_warp(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  static_assert(P.block_size >= 64, "the warp's first level combines two halves of 32");
  __shared__ T partial[P.block_size];
  const int thread = static_cast<int>(threadIdx.x);

  T value = load_section<Op, P>(in, count);
  partial[thread] = value;
  __syncthreads();
#pragma unroll
  for (int half = P.block_size / 2; half > 32; half /= 2) {
    if (thread < half) partial[thread] = value = Op::combine(value, partial[thread + half]);
    __syncthreads();
  }
  if (thread < 32) {
    // Every lane takes part in every level; the results of the upper lanes are not used.
#pragma unroll
    for (int half = 32; half > 0; half /= 2) {
      value = Op::combine(value, partial[thread + half]);
      __syncwarp();
      partial[thread] = value;
      __syncwarp();
    }
  }
  finish_block<Op, P.finish, P.block_size>(value, out, partials, arrived);
}

}  // namespace warpwright::reduce
