// reduce/strided_index: the tree of reduce/interleaved, but only the first threads of the block work. Whole warps are
// active, but their indices have a growing stride and hit few banks.
#pragma once

#include "kernels/reduce/tree.cuh"

namespace warpwright::reduce {

struct strided_index_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int bank_pad = 0;    ///< elements added after every 32 of the tree
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const strided_index_params&) const = default;
};

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per block_size * coarsening elements. Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, strided_index_params P>
__global__ void __launch_bounds__(P.block_size)
    strided_index(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
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
  finish_block<Op, P.finish, P.block_size>(thread == 0 ? partial[0] : T(), out, partials, arrived);
}

}  // namespace warpwright::reduce
