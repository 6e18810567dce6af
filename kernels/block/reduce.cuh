// Block-level reductions over a user's operator, shared by kernels.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// Combines one value per lane of a full warp by shuffles; lane 0 gets the result. Depth 5.
template <class Op, class T>
__device__ __forceinline__ T reduce_warp(T value) {
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) value = Op::combine(value, __shfl_down_sync(0xffffffffU, value, delta));
  return value;
}

/// Combines one value per thread of a one-dimensional block of BlockSize threads, a multiple of 32; thread 0 gets the
/// result. Two levels of shuffles, depth at most 10. Contains one barrier; the storage may be written again only after
/// another barrier.
template <class Op, int BlockSize, class T>
__device__ __forceinline__ T reduce_shuffle(T value) {
  constexpr int kWarps = BlockSize / 32;
  static_assert(BlockSize % 32 == 0 && kWarps <= 32, "whole warps, as many as one warp can combine");
  __shared__ T partial[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;

  value = reduce_warp<Op>(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < kWarps ? partial[lane] : Op::template identity<T>();
    value = reduce_warp<Op>(value);
  }
  return value;
}

/// The same by a tree in shared memory with sequential addressing, depth log2(BlockSize), for a block of any power of
/// two.
template <class Op, int BlockSize, class T>
__device__ __forceinline__ T reduce_tree(T value) {
  static_assert((BlockSize & (BlockSize - 1)) == 0, "the tree halves the block");
  __shared__ T partial[BlockSize];
  const int thread = static_cast<int>(threadIdx.x);

  partial[thread] = value;
  __syncthreads();
#pragma unroll
  for (int half = BlockSize / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] = Op::combine(partial[thread], partial[thread + half]);
    __syncthreads();
  }
  return partial[0];
}

/// The position of element i of an array in shared memory, if Pad elements are added after every Every to shift the
/// banks.
template <int Pad, int Every = 32>
__host__ __device__ constexpr int padded(int i) {
  return i + i / Every * Pad;
}

}  // namespace warpwright::block
