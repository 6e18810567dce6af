// reduce/warp_shuffle: warps combine by shuffles, blocks through one value per warp; it is launched again on its
// partial results.
#pragma once

#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

struct warp_shuffle_params {
  int block_size = 256;
  int vectors_per_thread = 4;
  int vector_width = 1;  ///< elements per access
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const warp_shuffle_params&) const = default;
};

/// Each block combines its elements of in[0..count) and finishes as P.finish says (see finish_block). Grid: one block
/// per block_size * vectors_per_thread * vector_width elements. `in` is aligned to the vector.
template <class T, class Op, warp_shuffle_params P>
__global__ void __launch_bounds__(P.block_size)
    warp_shuffle(const T* __restrict__ in, T* out, T* partials, unsigned* arrived, long long count) {
  constexpr int kVector = P.vector_width;
  const long long first =
      (static_cast<long long>(blockIdx.x) * P.block_size * P.vectors_per_thread + threadIdx.x) * kVector;
  T value = Op::template identity<T>();
#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size * kVector;
    if (at + kVector <= count) {
      const vec<T, kVector> loaded = load_vector<kVector>(in + at);
#pragma unroll
      for (int k = 0; k < kVector; ++k) value = Op::combine(value, loaded[k]);
    } else {
#pragma unroll 1
      for (long long rest = at; rest < count; ++rest) value = Op::combine(value, in[rest]);
    }
  }
  value = block::reduce_shuffle<Op, P.block_size>(value);
  finish_block<Op, P.finish, P.block_size>(value, out, partials, arrived);
}

}  // namespace warpwright::reduce
