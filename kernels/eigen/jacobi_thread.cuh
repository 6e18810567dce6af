// eigen/jacobi_thread: one thread rotates all pairs of one matrix, in memory of its own.
#pragma once

#include "kernels/eigen/rotation.cuh"

namespace warpwright::eigen {

/// Where a thread keeps its matrix: in registers (or local memory, if the loops are not fully unrolled), or in a column
/// of shared memory. In the latter case the block copies all its matrices there.
enum class keep { local, shared };

struct jacobi_thread_params {
  int block_size = 64;
  keep kept_in = keep::local;
  int bank_pad = 0;    ///< columns of shared memory after those of the threads
  int unroll = 1;      ///< rows in one iteration; 0: all rows of all pairs of a sweep
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  sweep_order order = sweep_order::row_cyclic;
  bool operator==(const jacobi_thread_params&) const = default;
};

/// Entries that a thread keeps of an N x N matrix: the upper triangle with the diagonal, and all vectors.
template <int N>
inline constexpr int kept_entries = N*(N + 1) / 2 + N* N;

/// Numbers of type T per thread in its column of shared memory.
__host__ __device__ constexpr int column_numbers(int n, int parts) {
  return parts * (n * (n + 1) / 2 + n * n);
}

/// The entries of a thread, in a local array.
template <class T, entries E, int N>
struct local_entries {
  entry<T, E> of[kept_entries<N>];
  __device__ __forceinline__ entry<T, E> get(int i) const { return of[i]; }
  __device__ __forceinline__ void set(int i, entry<T, E> x) { of[i] = x; }
};

/// The same in a column of shared memory; part k of an entry is in row k of `pitch` numbers.
template <class T, entries E, int N>
struct column_entries {
  T* column;
  long long pitch;
  __device__ __forceinline__ entry<T, E> get(int i) const {
    if constexpr (E == entries::complex)
      return {column[2 * i * pitch], column[(2 * i + 1) * pitch]};
    else
      return {column[i * pitch]};
  }
  __device__ __forceinline__ void set(int i, entry<T, E> x) {
    column[parts<E> * i * pitch] = x.re;
    if constexpr (E == entries::complex) column[(2 * i + 1) * pitch] = x.im;
  }
};

/// The index of entry (row, column) of a thread's matrix, row <= column, and of its vectors.
__device__ __forceinline__ constexpr int upper(int row, int column) {
  return column * (column + 1) / 2 + row;
}
template <int N>
__device__ __forceinline__ constexpr int vector_entry(int row, int column) {
  return N * (N + 1) / 2 + column * N + row;
}

/// Entry (row, column) of the matrix; the lower triangle is the conjugate of the upper one.
template <class Entries>
__device__ __forceinline__ auto get_entry(const Entries& of, int row, int column) {
  return row <= column ? of.get(upper(row, column)) : conjugate(of.get(upper(column, row)));
}
template <class Entries, class Entry>
__device__ __forceinline__ void set_entry(Entries& of, int row, int column, Entry x) {
  if (row <= column)
    of.set(upper(row, column), x);
  else
    of.set(upper(column, row), conjugate(x));
}

/// Rotates rows p < q, or leaves them if their entry is negligible. Returns whether it rotated.
template <int Unroll, class T, entries E, int N, class Entries>
__device__ __forceinline__ bool turn_pair(Entries& of, int p, int q, T most_negligible) {
  const entry<T, E> between = of.get(upper(p, q));
  if (!(squared_size(between) > most_negligible * most_negligible)) return false;
  const T a = of.get(upper(p, p)).re;
  const T d = of.get(upper(q, q)).re;
  const rotation<T, E> rot = rotation_of<E>(a, d, between);
#pragma unroll Unroll
  for (int row = 0; row < N; ++row) {
    entry<T, E> x = of.get(vector_entry<N>(row, p));
    entry<T, E> y = of.get(vector_entry<N>(row, q));
    rotate_columns(x, y, rot.c, rot.e);
    of.set(vector_entry<N>(row, p), x);
    of.set(vector_entry<N>(row, q), y);
    if (row == p || row == q) continue;
    x = get_entry(of, row, p);
    y = get_entry(of, row, q);
    rotate_columns(x, y, rot.c, rot.e);
    set_entry(of, row, p, x);
    set_entry(of, row, q, y);
  }
  of.set(upper(p, p), entry<T, E>{a - rot.step});
  of.set(upper(q, q), entry<T, E>{d + rot.step});
  of.set(upper(p, q), entry<T, E>{});
  return true;
}

/// Multiplies all entries of the matrix.
template <int Unroll, int N, class T, class Entries>
__device__ __forceinline__ void scale_matrix(Entries& of, T by) {
#pragma unroll Unroll
  for (int at = 0; at < N * (N + 1) / 2; ++at) of.set(at, scaled(of.get(at), by));
}

/// Sweeps until every entry off the diagonal is negligible; rotates the vectors too.
template <jacobi_thread_params P, class T, entries E, int N, class Entries>
__device__ __forceinline__ void sweep_alone(Entries& of) {
  using stage = stage_of<N, P.order>;
  constexpr int kStages = P.unroll == 0 ? stage::stages : 1;
  constexpr int kPairs = P.unroll == 0 ? stage::pairs : 1;
  constexpr int kRows = P.unroll == 0 ? N : P.unroll;
  T largest = 0;
#pragma unroll kRows
  for (int at = 0; at < N * (N + 1) / 2; ++at) largest = fmax(largest, largest_part(of.get(at)));
  const T scale = scale_for(largest);
  scale_matrix<kRows, N>(of, scale);
  T squares = 0;
#pragma unroll kRows
  for (int at = 0; at < N * (N + 1) / 2; ++at) squares += squared_size(of.get(at));
  const T most_negligible = negligible<N>(squares);
#pragma unroll 1
  for (int sweeps = 0; sweeps < most_sweeps; ++sweeps) {
    stage now;
    bool turned = false;
#pragma unroll kStages
    for (int number = 0; number < stage::stages; ++number) {
#pragma unroll kPairs
      for (int k = 0; k < stage::pairs; ++k) {
        const row_pair pair = now.pair(k);
        if (turn_pair<kRows, T, E, N>(of, pair.first, pair.second, most_negligible)) turned = true;
      }
      now.advance();
    }
    if (!turned) break;
  }
#pragma unroll kRows
  for (int k = 0; k < N; ++k) of.set(upper(k, k), scaled(of.get(upper(k, k)), 1 / scale));
}

/// The position of eigenvalue k in ascending order.
template <int Unroll, class T, class Entries, int N>
__device__ __forceinline__ int rank_of_value(const Entries& of, int k) {
  const T own = of.get(upper(k, k)).re;
  int smaller = 0;
#pragma unroll Unroll
  for (int other = 0; other < N; ++other) {
    const T one = of.get(upper(other, other)).re;
    if (one < own || (one == own && other < k)) ++smaller;
  }
  return smaller;
}

/// Decomposes one matrix by one thread, from global memory to global memory.
template <jacobi_thread_params P, class T, entries E, int N>
__device__ __forceinline__ void decompose_alone(const T* __restrict__ matrix, T* __restrict__ values,
                                                T* __restrict__ vectors) {
  constexpr int kRows = P.unroll == 0 ? N : P.unroll;
  local_entries<T, E, N> of;
#pragma unroll kRows
  for (int column = 0; column < N; ++column)
#pragma unroll kRows
    for (int row = 0; row < N; ++row) {
      if (row <= column) of.set(upper(row, column), load_entry<E>(matrix, column * N + row));
      of.set(vector_entry<N>(row, column), entry<T, E>{row == column ? T(1) : T(0)});
    }
  sweep_alone<P, T, E, N>(of);
#pragma unroll kRows
  for (int k = 0; k < N; ++k) {
    const int place = rank_of_value<kRows, T, local_entries<T, E, N>, N>(of, k);
    values[place] = of.get(upper(k, k)).re;
#pragma unroll kRows
    for (int row = 0; row < N; ++row) store_entry(vectors, place * N + row, of.get(vector_entry<N>(row, k)));
  }
}

/// Decomposes `count` matrices by a block, whose threads read and write all of them together.
template <jacobi_thread_params P, class T, entries E, int N>
__device__ __forceinline__ void decompose_together(const T* __restrict__ matrix, T* __restrict__ values,
                                                   T* __restrict__ vectors, int count) {
  constexpr int kPitch = P.block_size + P.bank_pad;
  constexpr int kRows = P.unroll == 0 ? N : P.unroll;
  extern __shared__ __align__(16) unsigned char staging[];
  T* const numbers = reinterpret_cast<T*>(staging);
  int* const ranks = reinterpret_cast<int*>(numbers + column_numbers(N, parts<E>) * kPitch);
  const int thread = static_cast<int>(threadIdx.x);
  const auto of_thread = [&](int one) { return column_entries<T, E, N>{numbers + one, kPitch}; };

  for (int at = thread; at < count * N * N; at += P.block_size) {
    auto to = of_thread(at / (N * N));
    const int row = at % N;
    const int column = at / N % N;
    if (row <= column) to.set(upper(row, column), load_entry<E>(matrix, at));
    to.set(vector_entry<N>(row, column), entry<T, E>{row == column ? T(1) : T(0)});
  }
  __syncthreads();
  if (thread < count) {
    auto mine = of_thread(thread);
    sweep_alone<P, T, E, N>(mine);
    for (int k = 0; k < N; ++k)
      ranks[k * kPitch + thread] = rank_of_value<kRows, T, column_entries<T, E, N>, N>(mine, k);
  }
  __syncthreads();
  for (int at = thread; at < count * N; at += P.block_size) {
    const int one = at / N;
    values[one * N + ranks[at % N * kPitch + one]] = of_thread(one).get(upper(at % N, at % N)).re;
  }
  for (int at = thread; at < count * N * N; at += P.block_size) {
    const int one = at / (N * N);
    const int column = at / N % N;
    store_entry(vectors, (one * N + ranks[column * kPitch + one]) * N + at % N,
                of_thread(one).get(vector_entry<N>(at % N, column)));
  }
}

/// Computes values and vectors of `matrices` matrices, one per thread. With keep::shared, dynamic shared memory has a
/// column of `column_numbers` for each thread and each pad, followed by n ranks each.
template <class T, entries E, int N, jacobi_thread_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    jacobi_thread(const T* __restrict__ matrix, T* __restrict__ values, T* __restrict__ vectors, long long matrices) {
  constexpr int kSquare = parts<E> * N * N;
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size;
  if constexpr (P.kept_in == keep::shared) {
    const int count = static_cast<int>(min(static_cast<long long>(P.block_size), matrices - first));
    decompose_together<P, T, E, N>(matrix + first * kSquare, values + first * N, vectors + first * kSquare, count);
  } else {
    const long long at = first + threadIdx.x;
    if (at >= matrices) return;
    decompose_alone<P, T, E, N>(matrix + at * kSquare, values + at * N, vectors + at * kSquare);
  }
}

}  // namespace warpwright::eigen
