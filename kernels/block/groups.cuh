// Groups of threads that work together: tiles of a warp, and the whole grid of a cooperative launch. They use only the
// primitives of device.cuh, so the simulator sees every step. CUDA's <cooperative_groups.h> would cost NVRTC most of a
// second per program.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// The aligned group of Size consecutive lanes that contains the caller; Size is a power of two up to 32. All its lanes
/// must be active. For one-dimensional blocks.
template <int Size>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile is a power of two of one warp's lanes");

 public:
  static __device__ __forceinline__ constexpr int size() { return Size; }
  /// The rank of the caller in its tile.
  __device__ __forceinline__ int thread_rank() const { return static_cast<int>(threadIdx.x) % Size; }
  /// The number of the tile in its block.
  __device__ __forceinline__ int meta_group_rank() const { return static_cast<int>(threadIdx.x) / Size; }

  /// Orders the memory accesses of the tile's threads.
  __device__ __forceinline__ void sync() const { __syncwarp(mask()); }

  template <class T>
  __device__ __forceinline__ T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <class T>
  __device__ __forceinline__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <class T>
  __device__ __forceinline__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <class T>
  __device__ __forceinline__ T shfl_xor(T value, int rank_mask) const {
    return __shfl_xor_sync(mask(), value, rank_mask, Size);
  }

  __device__ __forceinline__ bool any(bool predicate) const { return __any_sync(mask(), predicate ? 1 : 0) != 0; }
  __device__ __forceinline__ bool all(bool predicate) const { return __all_sync(mask(), predicate ? 1 : 0) != 0; }
  /// Bit i is the predicate of thread rank i.
  __device__ __forceinline__ unsigned ballot(bool predicate) const {
    return __ballot_sync(mask(), predicate ? 1 : 0) >> first_lane();
  }

 private:
  static __device__ __forceinline__ int first_lane() { return static_cast<int>(threadIdx.x) % 32 / Size * Size; }
  static __device__ __forceinline__ unsigned mask() { return (0xffffffffU >> (32 - Size)) << first_lane(); }
};

template <int Size>
__device__ __forceinline__ thread_block_tile<Size> tiled_partition() {
  return {};
}

/// Combines one value per thread of a tile by shuffles; rank 0 gets the result. log2(Size) combinations deep.
template <class Op, int Size, class T>
__device__ __forceinline__ T reduce_tile(const thread_block_tile<Size>& tile, T value) {
#pragma unroll
  for (unsigned delta = Size / 2; delta > 0; delta /= 2) value = Op::combine(value, tile.shfl_down(value, delta));
  return value;
}

/// Waits until every thread of the grid has arrived; all writes before it are then visible to all. The launch must be
/// cooperative, so that all blocks are resident; grid and blocks are one-dimensional. *arrived is 0 before the first
/// launch that uses it, and only this function uses it. Launches that share it have the same number of blocks and
/// follow one another.
__device__ __forceinline__ void sync_grid(unsigned* arrived) {
  require_cooperative_launch();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned ticket = atomicAdd(arrived, 1U);
    const unsigned last = ticket - ticket % gridDim.x + gridDim.x;
    while (static_cast<int>(load_acquire(arrived) - last) < 0) __nanosleep(32);
  }
  __syncthreads();
}

}  // namespace warpwright::block
