// reduce/sequential: a tree in shared memory with sequential addressing; it is launched again on its partial results.
#pragma once

#include "kernels/reduce/tree.cuh"

namespace warpwright::reduce {

using sequential_params = tree_params;

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per block_size * coarsening elements. Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, sequential_params P>
__global__ void __launch_bounds__(P.block_size)
    sequential(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  const T value = block::reduce_tree<Op, P.block_size>(load_section<Op, P>(in, count));
  finish_block<Op, P.finish, P.block_size>(value, out, partials, arrived);
}

}  // namespace warpwright::reduce
