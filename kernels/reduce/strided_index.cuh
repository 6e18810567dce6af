// reduce/strided_index: the tree of reduce/interleaved, worked by the first threads of the block; whole warps work, but
// their indices lie a growing stride apart, in the same few banks.
#pragma once

#include "kernels/reduce/tree.cuh"

namespace warpwright::reduce {

using strided_index_params = tree_params;

/// out[block] = combination of the block's elements in[0..count). Grid: one block per block_size * coarsening elements.
/// Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, strided_index_params P>
__global__ void __launch_bounds__(P.block_size)
    strided_index(const T* __restrict__ in, T* __restrict__ out, long long count) {
  constexpr auto slot = block::padded<P.bank_pad>;
  __shared__ T partial[slot(P.block_size)];
  const int thread = static_cast<int>(threadIdx.x);

  partial[slot(thread)] = load_section<Op, P>(in, count);
  __syncthreads();
#pragma unroll
  for (int stride = 1; stride < P.block_size; stride *= 2) {
    const int at = 2 * stride * thread;
    if (at < P.block_size) partial[slot(at)] = Op::combine(partial[slot(at)], partial[slot(at + stride)]);
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

}  // namespace warpwright::reduce
