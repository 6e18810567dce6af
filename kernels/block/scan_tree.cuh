// Trees over a section in shared memory, shared by the scans with up and down sweeps.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/section.cuh"

namespace warpwright::block {

/// Which threads process the nodes of a tree level.
enum class mapping {
  modulo,     ///< those whose own element is the last of a node: warps diverge
  contiguous  ///< the first threads
};

namespace detail {

/// Calls use(i) for the last element i of every node of 2 * stride elements that the calling thread processes.
template <int Size, int Threads, mapping Mapping, class Use>
__device__ __forceinline__ void for_each_node(int stride, Use use) {
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (Mapping == mapping::modulo) {
    for (int i = thread; i < Size; i += Threads)
      if ((i + 1) % (2 * stride) == 0) use(i);
  } else {
    for (int node = thread; node < Size / (2 * stride); node += Threads) use((node + 1) * 2 * stride - 1);
  }
}

/// The last element of every node becomes the combination of the node's elements, level by level.
template <class Op, class Section, class T>
__device__ __forceinline__ void up_sweep(T* held) {
#pragma unroll
  for (int stride = 1; stride != Section::size; stride *= 2) {
    __syncthreads();
    Section::for_each_node(stride, [&](int i) {
      held[Section::slot(i)] = Op::combine(held[Section::slot(i - stride)], held[Section::slot(i)]);
    });
  }
}

}  // namespace detail

}  // namespace warpwright::block
