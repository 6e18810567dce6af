// Shared by tree reductions in shared memory: the params of most, and how they load.
#pragma once

#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

struct tree_params {
  int block_size = 256;
  int coarsening = 4;  ///< elements per thread
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const tree_params&) const = default;
};

/// The combination of this thread's elements; its block has block_size * coarsening elements of in[0..count).
template <class Op, auto P, class T>
__device__ __forceinline__ T load_section(const T* __restrict__ in, long long count) {
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
  T value = Op::template identity<T>();
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size;
    if (at < count) value = Op::combine(value, in[at]);
  }
  return value;
}

}  // namespace warpwright::reduce
