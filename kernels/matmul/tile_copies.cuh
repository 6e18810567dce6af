// Asynchronous copies of a block's tiles into shared memory. From sm_80.
#pragma once

#include "kernels/matmul/tiles.cuh"

namespace warpwright::matmul {

/// Starts copying a thread's share of a tile, for a step whose tile is complete.
template <class Share, class T>
__device__ __forceinline__ void start_whole_copy(T* tile, Share& mine, const operand<T>& of) {
  mine.for_each(of, [&](int pass, const T* from) {
    warpwright::async_copy<static_cast<int>(sizeof(T)) * Share::width>(mine.target(tile, pass, 0), from);
  });
}

/// Starts copying an element; an element of less than 4 bytes is copied synchronously.
template <class T>
__device__ __forceinline__ void start_copy(T* to, const T* from) {
  if constexpr (terms_together<T> == 1)
    warpwright::async_copy<static_cast<int>(sizeof(T))>(to, from);
  else
    *to = *from;
}

/// Starts copying a thread's share of a tile for a step with `terms` terms, element by element if vectors are
/// incomplete; elements outside the operand become 0.
template <class Share, class T>
__device__ __forceinline__ void start_copy(T* tile, Share& mine, const operand<T>& of, int step, int terms) {
  if (step < of.whole_steps) {
    start_whole_copy(tile, mine, of);
  } else {
    mine.for_each(of, [&](int pass, const T* from) {
#pragma unroll
      for (int i = 0; i < Share::width; ++i)
        if (mine.exists(of, terms, pass, i)) start_copy(mine.target(tile, pass, i), from + i);
    });
    // Stores come after all copies: between copies, each store would wait.
#pragma unroll
    for (int pass = 0; pass < Share::passes; ++pass)
#pragma unroll
      for (int i = 0; i < Share::width; ++i)
        if (!mine.exists(of, terms, pass, i)) *mine.target(tile, pass, i) = T(0);
  }
}

}  // namespace warpwright::matmul
