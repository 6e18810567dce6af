// The scan of Brent and Kung over a section in shared memory.
#pragma once

#include "kernels/block/scan_tree.cuh"

namespace warpwright::block {

__host__ __device__ constexpr section_cost brent_kung_cost(int size, int pad) {
  return {size + size / 32 * pad, 2 * detail::levels_over(size)};
}

/// An up sweep, then a down sweep to the elements that are the last of no node. 2 Size - 2 - log2(Size) combinations.
/// Pad elements are added after every 32. Source: R. Brent, H. Kung, IEEE Transactions on Computers C-31 (1982).
template <int Size, int Threads, mapping Mapping, int Pad>
struct brent_kung {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = brent_kung_cost(Size, Pad).elements;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad>(i); }

  template <class Use>
  static __device__ __forceinline__ void for_each_node(int stride, Use use) {
    detail::for_each_node<Size, Threads, Mapping>(stride, use);
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    detail::up_sweep<Op, brent_kung>(held);
#pragma unroll
    for (int stride = Size / 4; stride != 0; stride /= 2) {
      __syncthreads();
      for_each_node(stride, [&](int i) {
        if (i + stride < Size) held[slot(i + stride)] = Op::combine(held[slot(i)], held[slot(i + stride)]);
      });
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
