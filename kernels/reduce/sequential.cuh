// reduce/sequential: a tree in shared memory with sequential addressing; launched again on its own partial results.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/reduce/operators.cuh"

namespace warpwright::reduce {

struct sequential_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  int bank_pad = 0;    ///< elements added after every 32 of the tree
  bool operator==(const sequential_params&) const = default;
};

/// out[block] = combination of the block's elements in[0..count). Grid: one block per block_size * coarsening elements.
/// Source: M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, sequential_params P>
__global__ void __launch_bounds__(P.block_size)
    sequential(const T* __restrict__ in, T* __restrict__ out, long long count) {
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
  T value = Op::template identity<T>();
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size;
    if (at < count) value = Op::combine(value, in[at]);
  }
  value = block::reduce_tree<Op, P.block_size, P.bank_pad>(value);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

}  // namespace warpwright::reduce
