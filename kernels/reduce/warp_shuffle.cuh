// reduce/warp_shuffle: warps combine by shuffles, blocks through one value per warp; launched again on its partials.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/reduce/operators.cuh"

namespace warpwright::reduce {

struct warp_shuffle_params {
  int block_size = 256;
  int coarsening = 4;    ///< vectors per thread
  int vector_width = 1;  ///< elements per access
  bool operator==(const warp_shuffle_params&) const = default;
};

/// out[block] = combination of the block's elements in[0..count). Grid: one block per
/// block_size * coarsening * vector_width elements. `in` is aligned to the vector.
template <class T, class Op, warp_shuffle_params P>
__global__ void __launch_bounds__(P.block_size)
    warp_shuffle(const T* __restrict__ in, T* __restrict__ out, long long count) {
  constexpr int kVector = P.vector_width;
  const long long first = (static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x) * kVector;
  T value = Op::template identity<T>();
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
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
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

}  // namespace warpwright::reduce
