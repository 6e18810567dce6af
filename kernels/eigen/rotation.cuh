// Jacobi rotations: the rotation that makes an entry zero, when an entry is negligible, and in which order a sweep
// visits pairs.
#pragma once

#include "kernels/eigen/entry.cuh"

namespace warpwright::eigen {

/// The order in which a sweep visits all pairs of rows, each once.
enum class sweep_order {
  row_cyclic,  ///< one pair after another along the rows
  round_robin  ///< in rounds of pairs that share no row. Source: R. Brent, F. Luk, SIAM J. Sci. Stat. Comput. 6 (1985)
};

/// Sweeps after which a kernel gives up. Usual are about 9 for 64 rows, and the most ever seen were 17.
inline constexpr int most_sweeps = 20;

/// J = [c, e; -conj(e), c] makes the entry b of [a, b; conj(b), d] zero: J^H [..] J = diag(a - step, d + step). Source:
/// G. Golub, C. Van Loan, Matrix Computations, 2013, section 8.5.2, with the phase of b in e.
template <class T, entries E>
struct rotation {
  T c;
  entry<T, E> e;
  T step;
};

/// Requires b != 0. The tangent is 2 |b| / u with u = |d - a| + sqrt((d - a)^2 + 4 |b|^2), multiplied out.
template <entries E, class T>
__device__ __forceinline__ rotation<T, E> rotation_of(T a, T d, entry<T, E> b) {
  const T square = squared_size(b);
  const T apart = d - a;
  const T u = fabs(apart) + sqrt(fma(apart, apart, 4 * square));
  const T scale = 1 / sqrt(fma(u, u, 4 * square));
  return {u * scale, scaled(b, copysign(2 * scale, apart)), copysign(2 * square / u, apart)};
}

/// The power of two by which all entries are multiplied before they are rotated, so that their squares neither vanish
/// nor overflow: the largest part of an entry is then in [1, 4), or smaller if all entries are subnormal. Eigenvalues
/// are divided by it.
template <class T>
__device__ __forceinline__ T scale_for(T largest_part) {
  constexpr int kMost = sizeof(T) == 8 ? 1022 : 126;
  return largest_part > 0 ? ldexp(T(1), max(-kMost, min(kMost, -ilogb(largest_part)))) : T(1);
}

/// An entry no larger than this is not rotated: all such entries together change an eigenvalue by no more than the
/// rounding of the largest one. `squares` is the sum of the squares of all entries, or of the upper triangle.
template <int N, class T>
__device__ __forceinline__ T negligible(T squares) {
  constexpr T kRoundoff = sizeof(T) == 8 ? T(0x1p-53) : T(0x1p-24);
  return sqrt(squares) * (kRoundoff / N);
}

/// x, y = columns p and q of a row, times J.
template <class T, class Entry>
__device__ __forceinline__ void rotate_columns(Entry& x, Entry& y, T c, Entry e) {
  const Entry turned = mixed(c, x, negated(conjugate(e)), y);
  y = mixed(c, y, e, x);
  x = turned;
}

/// x, y = J^H times rows p and q of a column.
template <class T, class Entry>
__device__ __forceinline__ void turn_rows(Entry& x, Entry& y, T c, Entry e) {
  rotate_columns(x, y, c, conjugate(e));
}

/// Two rows, first < second.
struct row_pair {
  int first, second;
};

/// A stage of a sweep over N rows: `pairs` pairs that share no row.
template <int N, sweep_order Order>
struct stage_of;

template <int N>
struct stage_of<N, sweep_order::row_cyclic> {
  static constexpr int stages = N * (N - 1) / 2;
  static constexpr int pairs = 1;
  int p = 0;
  int q = 1;

  __device__ __forceinline__ void advance() {
    if (++q < N) return;
    ++p;
    q = p + 1;
  }
  __device__ __forceinline__ row_pair pair(int) const { return {p, q}; }
};

template <int N>
struct stage_of<N, sweep_order::round_robin> {
  static constexpr int odd = N % 2;
  static constexpr int stages = N - 1 + odd;
  static constexpr int pairs = N / 2;
  int round = 0;

  __device__ __forceinline__ void advance() { ++round; }
  __device__ __forceinline__ row_pair pair(int k) const {
    const int seat = k + odd;  // if the number of rows is even, the last row stays at seat 0
    const int one = seat == 0 ? stages : (round + seat) % stages;
    const int other = seat == 0 ? round : (round + stages - seat) % stages;
    return {min(one, other), max(one, other)};
  }
};

}  // namespace warpwright::eigen
