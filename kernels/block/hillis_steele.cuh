// The scan of Hillis and Steele over a section in shared memory: levels alternate between two arrays.
#pragma once

#include "kernels/block/section.cuh"

namespace warpwright::block {

__host__ __device__ constexpr section_cost hillis_steele_cost(int size) {
  return {2 * size, detail::levels_over(size)};
}

/// Every element is combined with the one 1, 2, 4, ... places before it, with one barrier per level. Size log2(Size) -
/// (Size - 1) combinations. Source: W. Hillis, G. Steele, Communications of the ACM 29 (1986).
template <int Size, int Threads>
struct hillis_steele {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = hillis_steele_cost(Size).elements;

  static __host__ __device__ constexpr int slot(int i) { return i; }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    T* from = held;
    T* to = held + Size;
#pragma unroll
    for (int distance = 1; distance != Size; distance *= 2) {
      __syncthreads();
#pragma unroll
      for (int k = 0; k != Size / Threads; ++k) {
        const int i = static_cast<int>(threadIdx.x) + k * Threads;
        to[i] = i >= distance ? Op::combine(from[i - distance], from[i]) : from[i];
      }
      T* const filled = to;
      to = from;
      from = filled;
    }
    __syncthreads();
    return from;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[Size - 1];
  }
};

}  // namespace warpwright::block
