// The scan of Kogge and Stone over a section in shared memory, in place: levels keep what they read in registers.
#pragma once

#include "kernels/block/section.cuh"

namespace warpwright::block {

__host__ __device__ constexpr section_cost kogge_stone_cost(int size) {
  return {size, detail::levels_over(size)};
}

/// Every element is combined with the one 1, 2, 4, ... places before it, between two barriers. Size log2(Size) - (Size
/// - 1) combinations. Source: P. Kogge, H. Stone, IEEE Transactions on Computers C-22 (1973).
template <int Size, int Threads>
struct kogge_stone {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = kogge_stone_cost(Size).elements;

  static __host__ __device__ constexpr int slot(int i) { return i; }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    constexpr int kOwn = Size / Threads;
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int distance = 1; distance != Size; distance *= 2) {
      T own[kOwn];
      __syncthreads();
#pragma unroll
      for (int k = 0; k != kOwn; ++k) {
        const int i = thread + k * Threads;
        own[k] = i >= distance ? Op::combine(held[i - distance], held[i]) : held[i];
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k != kOwn; ++k) held[thread + k * Threads] = own[k];
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[Size - 1];
  }
};

}  // namespace warpwright::block
