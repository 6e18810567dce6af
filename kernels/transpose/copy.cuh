// transpose/copy: copies a matrix without transposing it, as the upper limit of what memory allows a transposition.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::transpose {

struct copy_params {
  int block_size = 256;
  int vectors_per_thread = 4;
  int vector_width = 1;  ///< elements per access
  bool operator==(const copy_params&) const = default;
};

/// out[i] = in[i] for i < count. Grid: one block per block_size * vectors_per_thread * vector_width elements.
template <class T, copy_params P>
__global__ void __launch_bounds__(P.block_size) copy(const T* __restrict__ in, T* __restrict__ out, long long count) {
  constexpr int kVector = P.vector_width;
  const long long first =
      (static_cast<long long>(blockIdx.x) * P.block_size * P.vectors_per_thread + threadIdx.x) * kVector;
  vec<T, kVector> held[P.vectors_per_thread];

#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size * kVector;
    if (at + kVector <= count) held[i] = load_vector<kVector>(in + at);
  }
#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i) {
    const long long at = first + static_cast<long long>(i) * P.block_size * kVector;
    if (at + kVector <= count) {
      store_vector(out + at, held[i]);
    } else {
#pragma unroll 1
      for (long long rest = at; rest < count; ++rest) out[rest] = in[rest];
    }
  }
}

}  // namespace warpwright::transpose
