// reduce/grid_stride: a persistent grid strides over the input; the blocks' results are combined as in finish.cuh.
#pragma once

#include "kernels/reduce/persistent.cuh"

namespace warpwright::reduce {

struct grid_stride_params {
  int block_size = 256;
  int loads_in_flight = 4;     ///< vectors in flight per thread
  int vector_width = 1;        ///< elements per access
  int grid_blocks_per_sm = 4;  ///< blocks launched per SM
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const grid_stride_params&) const = default;
};

/// Combines in[0..count) as P.finish says; see finish_block.
template <class T, class Op, grid_stride_params P>
__global__ void __launch_bounds__(P.block_size)
    grid_stride(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  const T value = stride_over<T, Op, P>(in, count);
  finish_block<Op, P.finish, P.block_size>(block::reduce_shuffle<Op, P.block_size>(value), out, partials, arrived);
}

}  // namespace warpwright::reduce
