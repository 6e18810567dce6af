// The scan in three phases over a section in shared memory.
#pragma once

#include "kernels/block/hillis_steele.cuh"
#include "kernels/block/reduce.cuh"

namespace warpwright::block {

__host__ __device__ constexpr section_cost coarsened_cost(int size, int threads, int pad) {
  const section_cost totals = hillis_steele_cost(threads);
  return {size + size / 32 * pad + totals.elements, size / threads + totals.depth};
}

/// Three phases: every thread scans neighbouring elements, all threads together scan the threads' totals, and every
/// thread adds its prefix. With T threads: 2 (Size - T) combinations, plus those of the totals. Pad elements are added
/// after every 32.
template <int Size, int Threads, int Pad>
struct coarsened {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = coarsened_cost(Size, Threads, Pad).elements;
  using totals_scan = hillis_steele<Threads, Threads>;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad>(i); }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    constexpr int kOwn = Size / Threads;
    const int thread = static_cast<int>(threadIdx.x);
    const int first = thread * kOwn;
    T* const totals = held + (elements - totals_scan::elements);

    __syncthreads();
    T value = held[slot(first)];
#pragma unroll
    for (int k = 1; k != kOwn; ++k) {
      value = Op::combine(value, held[slot(first + k)]);
      held[slot(first + k)] = value;
    }
    totals[thread] = value;
    const T* const up_to = totals_scan::template scan<Op>(totals);
    if (thread > 0) {
      const T before = up_to[thread - 1];
#pragma unroll
      for (int k = 0; k != kOwn - 1; ++k) held[slot(first + k)] = Op::combine(before, held[slot(first + k)]);
      held[slot(first + kOwn - 1)] = up_to[thread];
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[slot(Size - 1)];
  }
};

}  // namespace warpwright::block
