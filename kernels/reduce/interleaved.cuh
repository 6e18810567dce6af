// reduce/interleaved: a tree in shared memory; pairs lie further apart at each level. The active threads are spread
// over all warps, so every warp diverges.
#pragma once

#include "kernels/reduce/tree.cuh"

namespace warpwright::reduce {

using interleaved_params = tree_params;

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per block_size * coarsening elements. Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, interleaved_params P>
__global__ void __launch_bounds__(P.block_size)
    interleaved(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  __shared__ T partial[P.block_size];
  const int thread = static_cast<int>(threadIdx.x);

  partial[thread] = load_section<Op, P>(in, count);
  __syncthreads();
#pragma unroll
  for (int stride = 1; stride < P.block_size; stride *= 2) {
    if (thread % (2 * stride) == 0) partial[thread] = Op::combine(partial[thread], partial[thread + stride]);
    __syncthreads();
  }
  finish_block<Op, P.finish, P.block_size>(thread == 0 ? partial[0] : T(), out, partials, arrived);
}

}  // namespace warpwright::reduce
