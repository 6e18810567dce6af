// reduce/grid_stride: a persistent grid strides over the input; the blocks' results are combined in one of three ways.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/reduce/operators.cuh"

namespace warpwright::reduce {

/// How one result is made of one value per block.
enum class finish {
  atomic,         ///< every block combines into the result
  second_kernel,  ///< partial results are stored and reduced by another launch
  last_block      ///< the block that finishes last reduces the stored partial results
};

struct grid_stride_params {
  int block_size = 256;
  int coarsening = 4;          ///< vectors in flight per thread
  int vector_width = 1;        ///< elements per access
  int grid_blocks_per_sm = 4;  ///< blocks launched for each SM
  reduce::finish finish = reduce::finish::second_kernel;
  bool operator==(const grid_stride_params&) const = default;
};

namespace detail {

/// The combination of in[0..count) over the elements that this thread of a persistent grid visits.
template <class T, class Op, grid_stride_params P>
__device__ __forceinline__ T stride_over(const T* __restrict__ in, long long count) {
  constexpr int kVector = P.vector_width;
  const long long threads = static_cast<long long>(gridDim.x) * P.block_size;
  const long long me = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  const long long vectors = count / kVector;
  T value = Op::template identity<T>();

  // Whole groups of `coarsening` vectors: all loads are issued before the first is used. How many loads are in flight
  // is the parameter's business, so the compiler unrolls no further.
  long long at = me;
#pragma unroll 1
  for (; at + (P.coarsening - 1) * threads < vectors; at += P.coarsening * threads) {
    vec<T, kVector> held[P.coarsening];
#pragma unroll
    for (int i = 0; i < P.coarsening; ++i) held[i] = load_vector<kVector>(in + (at + i * threads) * kVector);
#pragma unroll
    for (int i = 0; i < P.coarsening; ++i)
#pragma unroll
      for (int k = 0; k < kVector; ++k) value = Op::combine(value, held[i][k]);
  }
#pragma unroll 1
  for (; at < vectors; at += threads) {
    const vec<T, kVector> loaded = load_vector<kVector>(in + at * kVector);
#pragma unroll
    for (int k = 0; k < kVector; ++k) value = Op::combine(value, loaded[k]);
  }
#pragma unroll 1
  for (long long rest = vectors * kVector + me; rest < count; rest += threads) value = Op::combine(value, in[rest]);
  return value;
}

/// The combination of values[0..count) by one block; thread 0 gets it.
template <class T, class Op, int BlockSize>
__device__ __forceinline__ T reduce_partials(const T* values, int count) {
  T value = Op::template identity<T>();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += BlockSize) value = Op::combine(value, values[i]);
  return block::reduce_shuffle<Op, BlockSize>(value);
}

}  // namespace detail

/// Combines partials[0..count) into *out. Grid: one block of 512 threads.
template <class T, class Op>
__global__ void __launch_bounds__(512) finish_partials(const T* partials, T* out, int count) {
  const T value = detail::reduce_partials<T, Op, 512>(partials, count);
  if (threadIdx.x == 0) *out = value;
}

/// Combines in[0..count) into *out, into partials[0..gridDim.x), or into both with the help of *arrived, which is zero
/// before the launch, as P.finish says. With finish::atomic *out holds the identity before the launch.
template <class T, class Op, grid_stride_params P>
__global__ void __launch_bounds__(P.block_size)
    grid_stride(const T* __restrict__ in, T* out, T* partials, unsigned int* arrived, long long count) {
  T value = detail::stride_over<T, Op, P>(in, count);
  value = block::reduce_shuffle<Op, P.block_size>(value);

  if constexpr (P.finish == finish::atomic) {
    if (threadIdx.x == 0) Op::combine_at(out, value);
  } else if constexpr (P.finish == finish::second_kernel) {
    if (threadIdx.x == 0) partials[blockIdx.x] = value;
  } else {
    __shared__ shared_array<bool, 1> is_last;
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = value;
      __threadfence();
      is_last[0] = atomicAdd(arrived, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last[0]) {
      __threadfence();
      value = detail::reduce_partials<T, Op, P.block_size>(partials, static_cast<int>(gridDim.x));
      if (threadIdx.x == 0) *out = value;
    }
  }
}

}  // namespace warpwright::reduce
