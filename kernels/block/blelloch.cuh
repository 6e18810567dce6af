// The scan of Blelloch over a section in shared memory.
#pragma once

#include "kernels/block/scan_tree.cuh"

namespace warpwright::block {

/// Needs one more element for the total, which the down sweep overwrites.
__host__ __device__ constexpr section_cost blelloch_cost(int size, int pad, int every) {
  return {size + size / every * pad + 1, 2 * detail::levels_over(size)};
}

/// An up sweep of a tree of sums, then a down sweep that computes the prefix of each node. 2 (Size - 1) combinations.
/// Pad elements are added after every Every. Source: G. Blelloch, IEEE Transactions on Computers 38 (1989).
template <int Size, int Threads, int Pad, int Every>
struct blelloch {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = true;
  static constexpr int elements = blelloch_cost(Size, Pad, Every).elements;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad, Every>(i); }

  template <class Use>
  static __device__ __forceinline__ void for_each_node(int stride, Use use) {
    detail::for_each_node<Size, Threads, mapping::contiguous>(stride, use);
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    detail::up_sweep<Op, blelloch>(held);
    // The thread that had the root node.
    if (threadIdx.x == 0) {
      held[elements - 1] = held[slot(Size - 1)];
      held[slot(Size - 1)] = Op::template identity<T>();
    }
#pragma unroll
    for (int stride = Size / 2; stride != 0; stride /= 2) {
      __syncthreads();
      for_each_node(stride, [&](int i) {
        const T first_half = held[slot(i - stride)];
        const T before = held[slot(i)];
        held[slot(i - stride)] = before;
        held[slot(i)] = Op::combine(before, first_half);
      });
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[elements - 1];
  }
};

}  // namespace warpwright::block
