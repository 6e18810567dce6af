// reduce/first_add_on_load: the tree of reduce/sequential, with the first level done during loading, so that no thread
// is idle at the start. Complete sections are loaded without bounds checks.
#pragma once

#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

struct first_add_on_load_params {
  int block_size = 256;
  int pairs_per_thread = 4;  ///< pairs of elements per thread
  int unroll = 4;            ///< pairs in flight per thread
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const first_add_on_load_params&) const = default;
};

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per 2 * block_size * pairs_per_thread elements; the first half of them is combined with the second. Source: M.
/// Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007.
template <class T, class Op, first_add_on_load_params P>
__global__ void __launch_bounds__(P.block_size)
    first_add_on_load(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  constexpr int kHalf = P.block_size * P.pairs_per_thread;
  constexpr int kUnroll = P.unroll;
  const long long section = static_cast<long long>(blockIdx.x) * (2 * kHalf);
  const long long first = section + threadIdx.x;
  T value = Op::template identity<T>();
  if (section + 2 * kHalf <= count) {
#pragma unroll kUnroll
    for (int i = 0; i < kHalf; i += P.block_size)
      value = Op::combine(value, Op::combine(in[first + i], in[first + i + kHalf]));
  } else {
#pragma unroll 1
    for (long long at = first; at < count; at += P.block_size) value = Op::combine(value, in[at]);
  }
  value = block::reduce_tree<Op, P.block_size>(value);
  finish_block<Op, P.finish, P.block_size>(value, out, partials, arrived);
}

}  // namespace warpwright::reduce
