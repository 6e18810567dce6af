// Shared by reductions with a persistent grid: striding over the input.
#pragma once

#include "kernels/reduce/finish.cuh"

namespace warpwright::reduce {

/// The combination of in[0..count) over the elements that this thread of a persistent grid visits.
template <class T, class Op, auto P>
__device__ __forceinline__ T stride_over(const T* __restrict__ in, long long count) {
  constexpr int kVector = P.vector_width;
  const long long threads = static_cast<long long>(gridDim.x) * P.block_size;
  const long long me = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  const long long vectors = count / kVector;
  T value = Op::template identity<T>();

  // Groups of `loads_in_flight` vectors. All loads of a group are issued before the first is used, also in an
  // incomplete last group. The parameter alone decides how many loads are in flight, so the compiler unrolls no
  // further.
  long long at = me;
#pragma unroll 1
  for (; at + (P.loads_in_flight - 1) * threads < vectors; at += P.loads_in_flight * threads) {
    vec<T, kVector> held[P.loads_in_flight];
#pragma unroll
    for (int i = 0; i < P.loads_in_flight; ++i) held[i] = load_vector<kVector>(in + (at + i * threads) * kVector);
#pragma unroll
    for (int i = 0; i < P.loads_in_flight; ++i)
#pragma unroll
      for (int k = 0; k < kVector; ++k) value = Op::combine(value, held[i][k]);
  }
  if (P.loads_in_flight > 1 && at < vectors) {
    vec<T, kVector> held[P.loads_in_flight];
#pragma unroll
    for (int i = 0; i < P.loads_in_flight - 1; ++i)
      if (at + i * threads < vectors) held[i] = load_vector<kVector>(in + (at + i * threads) * kVector);
#pragma unroll
    for (int i = 0; i < P.loads_in_flight - 1; ++i)
      if (at + i * threads < vectors)
#pragma unroll
        for (int k = 0; k < kVector; ++k) value = Op::combine(value, held[i][k]);
  }
#pragma unroll 1
  for (long long rest = vectors * kVector + me; rest < count; rest += threads) value = Op::combine(value, in[rest]);
  return value;
}

}  // namespace warpwright::reduce
