// reduce/global_memory: every block halves its part of a copy of the input repeatedly, in place, in global memory.
#pragma once

#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

struct global_memory_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread at the first level, in pairs
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const global_memory_params&) const = default;
};

/// Each block combines its elements of work[0..count), which is overwritten, and finishes as P.finish says (see
/// finish_block). Grid: one block per 2 * block_size * coarsening elements.
template <class T, class Op, global_memory_params P>
__global__ void __launch_bounds__(P.block_size)
    global_memory(T* work, T* out, T* partials, unsigned* arrived, long long count) {
  constexpr int kSection = 2 * P.block_size * P.coarsening;
  const long long first = static_cast<long long>(blockIdx.x) * kSection;
  const int thread = static_cast<int>(threadIdx.x);
  T* const own = work + first;
  int size = count - first < kSection ? static_cast<int>(count - first) : kSection;
#pragma unroll 1
  for (int half = kSection / 2; half > 0; half /= 2) {
    for (int at = thread; at < half; at += P.block_size)
      if (at + half < size) own[at] = Op::combine(own[at], own[at + half]);
    size = size < half ? size : half;
    __syncthreads();
  }
  finish_block<Op, P.finish, P.block_size>(thread == 0 ? own[0] : T(), out, partials, arrived);
}

}  // namespace warpwright::reduce
