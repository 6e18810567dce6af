// Writing sums to C by vectors, if possible.
#pragma once

#include "kernels/matmul/tiles.cuh"

namespace warpwright::matmul {

/// Writes a thread's sums of a complete tile of C, whose rows are aligned to vectors.
template <class Sum, tiling S, class Task>
__device__ __forceinline__ void write_vectors(const thread_sums<Sum, S>& sums, const Task& task, Sum* c,
                                              const extents& e, scale<Sum> by) {
  const thread_place<S> mine;
  Sum* const tile = tile_of_c(task, c, e);
#pragma unroll
  for (int i = 0; i < S.thread_m; ++i)
#pragma unroll
    for (int j = 0; j < S.thread_n; j += S.vector_width) {
      Sum* const to = tile + mine.row(i) * e.ldc + mine.column(j);
      vec<Sum, S.vector_width> held{};
      if (by.beta != Sum(0)) held = load_vector<S.vector_width>(to);
#pragma unroll
      for (int w = 0; w < S.vector_width; ++w) put(&held[w], sums.of[i][j + w], by);
      store_vector(to, held);
    }
}

/// Writes a thread's sums; with Vectors, by vectors if possible.
template <bool Vectors, class Sum, tiling S, class Task>
__device__ __forceinline__ void store_sums_by(const thread_sums<Sum, S>& sums, const Task& task, Sum* c,
                                              const extents& e, scale<Sum> by) {
  if (Vectors && task.is_whole(e) && e.ldc % S.vector_width == 0)
    write_vectors(sums, task, c, e, by);
  else
    store_sums(sums, task, c, e, by);
}

}  // namespace warpwright::matmul
