// How the values of all blocks become one result, by the blocks themselves or by a later launch. Every reduction can
// finish in each of these ways.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/reduce/operators.cuh"

namespace warpwright::reduce {

enum class finish {
  atomic,         ///< every block combines into the result
  second_kernel,  ///< stores the blocks' results; further launches reduce them
  last_block,     ///< the block that finishes last reduces the stored results
  host            ///< the blocks' results are copied to the host, which combines them
};

/// The combination of this thread's share of values[0..count), in a block of BlockSize threads.
template <class T, class Op, int BlockSize>
__device__ __forceinline__ T combine_partials(const T* values, int count) {
  T value = Op::template identity<T>();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += BlockSize) value = Op::combine(value, values[i]);
  return value;
}

/// Combines partials[0..count) into *out. Grid: one block of 512 threads.
template <class T, class Op>
__global__ void __launch_bounds__(512) finish_partials(const T* partials, T* out, int count) {
  const T value = block::reduce_shuffle<Op, 512>(combine_partials<T, Op, 512>(partials, count));
  if (threadIdx.x == 0) *out = value;
}

/// Combines the block's value (held by thread 0) into *out, into partials[0..gridDim.x), or into both by means of
/// *arrived, which is zero before and after the launch. With finish::atomic, *out holds the identity before the launch.
/// All threads of the block call it, once.
template <class Op, finish F, int BlockSize, class T>
__device__ __forceinline__ void finish_block(T value, T* out, T* partials, unsigned* arrived) {
  if constexpr (F == finish::atomic) {
    if (threadIdx.x == 0) Op::combine_at(out, value);
  } else if constexpr (F == finish::last_block) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = value;
      __threadfence();
      is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
      __threadfence();
      value = combine_partials<T, Op, BlockSize>(partials, static_cast<int>(gridDim.x));
      value = block::reduce_shuffle<Op, BlockSize>(value);
      if (threadIdx.x == 0) *out = value;
    }
  } else {
    if (threadIdx.x == 0) partials[blockIdx.x] = value;
  }
}

}  // namespace warpwright::reduce
