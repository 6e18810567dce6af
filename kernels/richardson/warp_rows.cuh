// Products of a warp's rows of a dense matrix with a tile of x.
#pragma once

#include "kernels/block/cache_hints.cuh"
#include "kernels/block/reduce.cuh"
#include "kernels/richardson/sweep.cuh"

namespace warpwright::richardson {

/// A lane's parts of the products of a warp's rows.
template <class T, int Rows>
using row_sums = vec<T, Rows>;

/// The rows of a warp in a dense matrix of `columns` columns. Rows after the last one are replaced by the last one.
template <class T, int Rows>
struct warp_rows {
  const T* at[Rows];

  __device__ __forceinline__ warp_rows(const T* a, long long first, int columns) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) at[r] = a + min(first + r, static_cast<long long>(columns) - 1) * columns;
  }
};

/// Adds the products of the columns first, ..., first + count - 1 with x[0], ..., x[count - 1]. Unroll vectors of every
/// row are in flight together. All accesses are whole vectors.
template <int Vector, int Unroll, block::load_hint Hint, class T, int Rows>
__device__ __forceinline__ void add_vectors(row_sums<T, Rows>& sums, const warp_rows<T, Rows>& rows, long long first,
                                            const T* x, int count) {
  using vector = vec<T, Vector>;
  const int vectors = count / Vector;
  const auto load = [&](int r, int i) {
    return block::load_hinted<Hint, Vector>(rows.at[r] + first + static_cast<long long>(i) * Vector);
  };
  const auto add = [&](int r, const vector& entries, const vector& factors) {
#pragma unroll
    for (int v = 0; v < Vector; ++v) sums[r] = fma(entries[v], factors[v], sums[r]);
  };
  int i = static_cast<int>(threadIdx.x) % 32;
  for (; i + 32 * (Unroll - 1) < vectors; i += 32 * Unroll) {
    vector held[Unroll][Rows];
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
#pragma unroll
      for (int r = 0; r < Rows; ++r) held[u][r] = load(r, i + 32 * u);
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      const vector factors = load_vector<Vector>(x + (i + 32 * u) * Vector);
#pragma unroll
      for (int r = 0; r < Rows; ++r) add(r, held[u][r], factors);
    }
  }
#pragma unroll 1
  for (; i < vectors; i += 32) {
    const vector factors = load_vector<Vector>(x + i * Vector);
#pragma unroll
    for (int r = 0; r < Rows; ++r) add(r, load(r, i), factors);
  }
}

/// Finishes the rows first, ... of a warp whose lanes hold parts of the products.
template <stop Stop, class T, int Rows>
__device__ __forceinline__ void finish_rows(const row_sums<T, Rows>& sums, long long first, const T* f, const T* from,
                                            T* to, const sweep_rule<T>& rule, const progress<T>& word, int sweep) {
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const T product = block::reduce_warp<addition>(sums[r]);
    if (threadIdx.x % 32 == 0 && first + r < rule.rows)
      finish_row<Stop>(product, first + r, f, from, to, rule, word, sweep);
  }
}

/// Copies a warp's rows unchanged, when the sweeps have stopped.
template <class T, int Rows>
__device__ __forceinline__ void keep_rows(long long first, const T* from, T* to, int rows) {
  const long long row = first + threadIdx.x % 32;
  if (threadIdx.x % 32 < Rows && row < rows) to[row] = from[row];
}

}  // namespace warpwright::richardson
