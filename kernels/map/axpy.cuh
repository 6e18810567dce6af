// map/axpy: z = alpha x + y with vector accesses; each thread has several of them in flight.
#pragma once

#include "kernels/block/cache_hints.cuh"

namespace warpwright::map {

struct axpy_params {
  int block_size = 256;
  int vectors_per_thread = 4;  ///< vectors per thread and tile
  int vector_width = 1;        ///< elements per access
  int unroll = 4;              ///< vectors of each input that are loaded before the first is used
  int grid_blocks_per_sm = 0;  ///< persistent blocks per SM, each striding over the tiles; 0: one block per tile
  block::load_hint load = block::load_hint::plain;
  block::store_hint store = block::store_hint::plain;
  bool operator==(const axpy_params&) const = default;
};

/// z[i] = alpha * x[i] + y[i], rounded once, for i < count. Any grid of one dimension.
template <class T, axpy_params P>
__global__ void __launch_bounds__(P.block_size)
    axpy(const T* __restrict__ x, const T* __restrict__ y, T* __restrict__ z, T alpha, long long count) {
  static_assert(P.vectors_per_thread % P.unroll == 0, "whole batches of loads");
  constexpr int kVector = P.vector_width;
  constexpr long long kBatch = static_cast<long long>(P.block_size) * P.unroll * kVector;
  constexpr int kBatches = P.vectors_per_thread / P.unroll;
  constexpr long long kTile = kBatch * kBatches;

  for (long long tile = blockIdx.x * kTile; tile < count; tile += gridDim.x * kTile) {
#pragma unroll 1
    for (int batch = 0; batch < kBatches; ++batch) {
      const long long first = tile + batch * kBatch + static_cast<long long>(threadIdx.x) * kVector;
      vec<T, kVector> held_x[P.unroll];
      vec<T, kVector> held_y[P.unroll];
#pragma unroll
      for (int i = 0; i < P.unroll; ++i) {
        const long long at = first + static_cast<long long>(i) * P.block_size * kVector;
        if (at + kVector <= count) {
          held_x[i] = block::load_hinted<P.load, kVector>(x + at);
          held_y[i] = block::load_hinted<P.load, kVector>(y + at);
        }
      }
#pragma unroll
      for (int i = 0; i < P.unroll; ++i) {
        const long long at = first + static_cast<long long>(i) * P.block_size * kVector;
        if (at + kVector <= count) {
#pragma unroll
          for (int k = 0; k < kVector; ++k) held_y[i][k] = fma(alpha, held_x[i][k], held_y[i][k]);
          block::store_hinted<P.store>(z + at, held_y[i]);
        } else {
#pragma unroll 1
          for (long long rest = at; rest < count; ++rest) z[rest] = fma(alpha, x[rest], y[rest]);
        }
      }
    }
  }
}

}  // namespace warpwright::map
