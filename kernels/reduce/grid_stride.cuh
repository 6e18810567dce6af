// reduce/grid_stride: a persistent grid strides over the input; the blocks' results are combined in one of three ways.
#pragma once

#include "kernels/reduce/persistent.cuh"

namespace warpwright::reduce {

/// How one result is made of one value per block.
enum class finish {
  atomic,         ///< every block combines into the result
  second_kernel,  ///< partial results are stored and reduced by another launch
  last_block      ///< the block that finishes last reduces the stored partial results
};

struct grid_stride_params {
  int block_size = 256;
  int coarsening = 4;          ///< vectors in flight per thread
  int vector_width = 1;        ///< elements per access
  int grid_blocks_per_sm = 4;  ///< blocks launched for each SM
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const grid_stride_params&) const = default;
};

/// Combines partials[0..count) into *out. Grid: one block of 512 threads.
template <class T, class Op>
__global__ void __launch_bounds__(512) finish_partials(const T* partials, T* out, int count) {
  const T value = block::reduce_shuffle<Op, 512>(combine_partials<T, Op, 512>(partials, count));
  if (threadIdx.x == 0) *out = value;
}

/// Combines in[0..count) into *out, into partials[0..gridDim.x), or into both with the help of *arrived, which is zero
/// before the launch and after it, as P.finish says. With finish::atomic *out holds the identity before the launch.
template <class T, class Op, grid_stride_params P>
__global__ void __launch_bounds__(P.block_size)
    grid_stride(const T* __restrict__ in, T* out, T* partials, unsigned int* arrived, long long count) {
  T value = stride_over<T, Op, P>(in, count);
  value = block::reduce_shuffle<Op, P.block_size>(value);

  if constexpr (P.finish == finish::atomic) {
    if (threadIdx.x == 0) Op::combine_at(out, value);
  } else if constexpr (P.finish == finish::second_kernel) {
    if (threadIdx.x == 0) partials[blockIdx.x] = value;
  } else {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = value;
      __threadfence();
      is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
      __threadfence();
      value = combine_partials<T, Op, P.block_size>(partials, static_cast<int>(gridDim.x));
      value = block::reduce_shuffle<Op, P.block_size>(value);
      if (threadIdx.x == 0) *out = value;
    }
  }
}

}  // namespace warpwright::reduce
