// The plain reduction in wider arithmetic that large results are compared with. It is checked itself against the CPU
// oracle.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/reduce/operators.cuh"

namespace warpwright::reduce {

/// partial[block] = combination, as type Wide, of the elements of in[0..count) over which the block strides; with
/// Magnitude, of their absolute values. Blocks of 256 threads.
template <class T, class Wide, class Op, bool Magnitude>
__global__ void __launch_bounds__(256) reference(const T* in, Wide* partial, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * 256;
  Wide value = Op::template identity<Wide>();
  for (long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x; i < count; i += stride) {
    const Wide element = static_cast<Wide>(in[i]);
    value = Op::combine(value, Magnitude && element < Wide(0) ? -element : element);
  }
  value = block::reduce_shuffle<Op, 256>(value);
  if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

}  // namespace warpwright::reduce
