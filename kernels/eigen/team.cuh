// Jacobi sweeps over one matrix by a team of threads, such as lanes of a warp.
#pragma once

#include "kernels/block/groups.cuh"
#include "kernels/eigen/rotation.cuh"

namespace warpwright::eigen {

/// Lanes of a warp; their number divides 32.
template <int Lanes>
struct warp_team {
  block::thread_block_tile<Lanes> lanes;

  static __device__ __forceinline__ constexpr int size() { return Lanes; }
  __device__ __forceinline__ int rank() const { return lanes.thread_rank(); }
  __device__ __forceinline__ void sync() const { lanes.sync(); }
  __device__ __forceinline__ bool any(bool is_so) const { return lanes.any(is_so); }
  /// The largest over all threads.
  template <class T>
  __device__ __forceinline__ T largest(T one) const {
#pragma unroll
    for (int distance = Lanes / 2; distance > 0; distance /= 2) one = fmax(one, lanes.shfl_xor(one, distance));
    return one;
  }
  /// The sum over all threads, with the same bits in each.
  template <class T>
  __device__ __forceinline__ T sum(T term) const {
#pragma unroll
    for (int distance = Lanes / 2; distance > 0; distance /= 2) term += lanes.shfl_xor(term, distance);
    return term;
  }
};

/// A team's storage for its matrix: columns of `pitch` entries; c, the real part of e and its imaginary part for the
/// rotations of a stage, in separate arrays.
template <class T, entries E, int N, int Pad>
struct team_storage {
  static constexpr int pitch = N + Pad;
  T* matrix;
  T* vectors;
  T* c;
  T* e;
  int* ranks;  ///< of the N eigenvalues, in ascending order
};

/// The index of entry (row, column) of a square.
template <class Storage>
__device__ __forceinline__ int index_of(int row, int column) {
  return column * Storage::pitch + row;
}

/// Computes the rotation of pair k of a stage: updates both diagonal entries, sets the entry between the rows to 0, and
/// stores c and e. Returns whether the rotation is needed.
template <class T, entries E, int N, int Pad>
__device__ __forceinline__ bool begin_rotation(const team_storage<T, E, N, Pad>& of, int k, row_pair pair,
                                               T most_negligible) {
  using storage = team_storage<T, E, N, Pad>;
  const int pp = index_of<storage>(pair.first, pair.first);
  const int qq = index_of<storage>(pair.second, pair.second);
  const int pq = index_of<storage>(pair.first, pair.second);
  const entry<T, E> between = load_entry<E>(of.matrix, pq);
  rotation<T, E> rot{T(1), {}, T(0)};
  const bool is_more = squared_size(between) > most_negligible * most_negligible;
  if (is_more) {
    const T a = load_entry<E>(of.matrix, pp).re;
    const T d = load_entry<E>(of.matrix, qq).re;
    rot = rotation_of<E>(a, d, between);
    store_entry(of.matrix, pp, entry<T, E>{a - rot.step});
    store_entry(of.matrix, qq, entry<T, E>{d + rot.step});
    store_entry(of.matrix, pq, entry<T, E>{});
    store_entry(of.matrix, index_of<storage>(pair.second, pair.first), entry<T, E>{});
  }
  of.c[k] = rot.c;
  of.e[k] = rot.e.re;
  if constexpr (E == entries::complex) of.e[N / 2 + k] = rot.e.im;
  return is_more;
}

/// The stored e of pair k.
template <class T, entries E, int N, int Pad>
__device__ __forceinline__ entry<T, E> stored_e(const team_storage<T, E, N, Pad>& of, int k) {
  if constexpr (E == entries::complex)
    return {of.e[k], of.e[N / 2 + k]};
  else
    return {of.e[k]};
}

/// Whether e is a rotation at all.
template <class T>
__device__ __forceinline__ bool is_rotation(real_entry<T> e) {
  return e.re != 0;
}
template <class T>
__device__ __forceinline__ bool is_rotation(complex_entry<T> e) {
  return e.re != 0 || e.im != 0;
}

/// The groups of a stage are its pairs of rows, then the single rows, as a row with itself. An off-diagonal block lies
/// between two different groups, of which at least one is a pair; there are `count` of them, numbered from 0.
template <int N, sweep_order Order>
struct off_diagonal_blocks;

template <int N>
struct off_diagonal_blocks<N, sweep_order::row_cyclic> {
  static constexpr int count = N - 2;
  static __device__ __forceinline__ row_pair members(const stage_of<N, sweep_order::row_cyclic>& now, int group) {
    if (group == 0) return now.pair(0);
    const int below = group - 1 + (group - 1 >= now.p ? 1 : 0);
    const int row = below + (below >= now.q ? 1 : 0);
    return {row, row};
  }
  /// The groups of a block.
  static __device__ __forceinline__ row_pair at(int number) { return {0, number + 1}; }
};

template <int N>
struct off_diagonal_blocks<N, sweep_order::round_robin> {
  static constexpr int groups = (N + 1) / 2;
  static constexpr int count = groups * (groups - 1) / 2;
  static __device__ __forceinline__ row_pair members(const stage_of<N, sweep_order::round_robin>& now, int group) {
    return group == N / 2 ? row_pair{now.round, now.round} : now.pair(group);
  }
  static __device__ __forceinline__ row_pair at(int number) {
    const int one = number % groups;
    return {one, (one + number / groups + 1) % groups};
  }
};

/// Rotates the entries where the rows of one group cross the columns of another, from both sides, and their mirror
/// images.
template <int Pairs, class T, entries E, int N, int Pad>
__device__ __forceinline__ void rotate_block(const team_storage<T, E, N, Pad>& of, row_pair rows, row_pair columns,
                                             int row_group, int column_group) {
  using storage = team_storage<T, E, N, Pad>;
  const entry<T, E> of_rows = row_group < Pairs ? stored_e(of, row_group) : entry<T, E>{};
  const entry<T, E> of_columns = column_group < Pairs ? stored_e(of, column_group) : entry<T, E>{};
  if (!is_rotation(of_rows) && !is_rotation(of_columns)) return;
  entry<T, E> x[2][2];
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      x[i][j] = load_entry<E>(
          of.matrix, index_of<storage>(i == 0 ? rows.first : rows.second, j == 0 ? columns.first : columns.second));
  if (column_group < Pairs) {
    const T c = of.c[column_group];
#pragma unroll
    for (int i = 0; i < 2; ++i) rotate_columns(x[i][0], x[i][1], c, of_columns);
  }
  if (row_group < Pairs) {
    const T c = of.c[row_group];
#pragma unroll
    for (int j = 0; j < 2; ++j) turn_rows(x[0][j], x[1][j], c, of_rows);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      if ((i == 1 && row_group >= Pairs) || (j == 1 && column_group >= Pairs)) continue;
      const int row = i == 0 ? rows.first : rows.second;
      const int column = j == 0 ? columns.first : columns.second;
      store_entry(of.matrix, index_of<storage>(row, column), x[i][j]);
      store_entry(of.matrix, index_of<storage>(column, row), conjugate(x[i][j]));
    }
}

/// Sweeps until every entry off the diagonal is negligible. All threads of the team call it after a sync; afterwards
/// all of them see the result.
template <sweep_order Order, int Unroll, class Team, class T, entries E, int N, int Pad>
__device__ __forceinline__ void sweep(const Team& team, const team_storage<T, E, N, Pad>& of, T most_negligible) {
  using stage = stage_of<N, Order>;
  using blocks = off_diagonal_blocks<N, Order>;
  using storage = team_storage<T, E, N, Pad>;
#pragma unroll 1
  for (int sweeps = 0; sweeps < most_sweeps; ++sweeps) {
    stage now;
    bool turned = false;
#pragma unroll 1
    for (int number = 0; number < stage::stages; ++number, now.advance()) {
      for (int k = team.rank(); k < stage::pairs; k += Team::size())
        if (begin_rotation(of, k, now.pair(k), most_negligible)) turned = true;
      team.sync();
#pragma unroll Unroll
      for (int at = team.rank(); at < blocks::count; at += Team::size()) {
        const row_pair who = blocks::at(at);
        rotate_block<stage::pairs>(of, blocks::members(now, who.first), blocks::members(now, who.second), who.first,
                                   who.second);
      }
#pragma unroll Unroll
      for (int at = team.rank(); at < N * stage::pairs; at += Team::size()) {
        const int row = at % N;
        const entry<T, E> e = stored_e(of, at / N);
        if (!is_rotation(e)) continue;
        const row_pair pair = now.pair(at / N);
        const int p = index_of<storage>(row, pair.first);
        const int q = index_of<storage>(row, pair.second);
        entry<T, E> x = load_entry<E>(of.vectors, p);
        entry<T, E> y = load_entry<E>(of.vectors, q);
        rotate_columns(x, y, of.c[at / N], e);
        store_entry(of.vectors, p, x);
        store_entry(of.vectors, q, y);
      }
      team.sync();
    }
    if (!team.any(turned)) return;
  }
}

/// The eigenvalues of a Hermitian N x N matrix in ascending order, and their vectors. Reads the matrix column by
/// column, sweeps over it in `of`, and stores the vectors as columns. All threads of the team call it.
template <sweep_order Order, int Unroll, class Team, class T, entries E, int N, int Pad>
__device__ __forceinline__ void decompose(const Team& team, const team_storage<T, E, N, Pad>& of,
                                          const T* __restrict__ matrix, T* __restrict__ values,
                                          T* __restrict__ vectors) {
  using storage = team_storage<T, E, N, Pad>;
  T largest = 0;
#pragma unroll Unroll
  for (int at = team.rank(); at < N * N; at += Team::size())
    largest = fmax(largest, largest_part(load_entry<E>(matrix, at)));
  const T scale = scale_for(team.largest(largest));
  T squares = 0;
#pragma unroll Unroll
  for (int at = team.rank(); at < N * N; at += Team::size()) {
    const entry<T, E> x = scaled(load_entry<E>(matrix, at), scale);
    const int place = index_of<storage>(at % N, at / N);
    squares += squared_size(x);
    store_entry(of.matrix, place, x);
    store_entry(of.vectors, place, entry<T, E>{at % N == at / N ? T(1) : T(0)});
  }
  const T most_negligible = negligible<N>(team.sum(squares));
  team.sync();
  sweep<Order, Unroll>(team, of, most_negligible);

  for (int k = team.rank(); k < N; k += Team::size()) {
    const T own = load_entry<E>(of.matrix, index_of<storage>(k, k)).re;
    int smaller = 0;
    for (int other = 0; other < N; ++other) {
      const T one = load_entry<E>(of.matrix, index_of<storage>(other, other)).re;
      if (one < own || (one == own && other < k)) ++smaller;
    }
    of.ranks[k] = smaller;
    values[smaller] = own / scale;
  }
  team.sync();
#pragma unroll Unroll
  for (int at = team.rank(); at < N * N; at += Team::size())
    store_entry(vectors, of.ranks[at / N] * N + at % N, load_entry<E>(of.vectors, index_of<storage>(at % N, at / N)));
}

}  // namespace warpwright::eigen
