// What is compared after a decomposition: the eigenvalues, the residual of each vector, and its orthogonality to the
// others. Also the plain sweeps in double that large results are compared with.
#pragma once

#include "kernels/eigen/jacobi_thread.cuh"

namespace warpwright::eigen {

/// For every eigenvalue k: ascending[k] is the value, residual[k] = 1 + |A v - value v| / |A| and orthogonality[k] = 1
/// + |V^H v - e_k|; |A| is the Frobenius norm. The ones keep results that should be zero away from zero. Grid: one
/// thread for each of the `vectors_there` vectors of all matrices, blocks of 128.
template <class T, entries E>
__global__ void __launch_bounds__(128)
    observe(const T* matrix, const T* values, const T* vectors, T* ascending, double* residual, double* orthogonality,
            int order, long long vectors_there) {
  using wide = entry<double, E>;
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= vectors_there) return;
  const long long first = own / order * order;  // the first vector of the matrix
  const auto number = [&](const T* of, long long column, int row) {
    const entry<T, E> x = load_entry<E>(of, column * order + row);
    if constexpr (E == entries::complex)
      return wide{static_cast<double>(x.re), static_cast<double>(x.im)};
    else
      return wide{static_cast<double>(x.re)};
  };
  double largest = 0;
  for (int at = 0; at < order * order; ++at)
    largest = fmax(largest, largest_part(number(matrix, first + at / order, at % order)));
  const double scale = scale_for(largest);  // the residual of a multiple is the same
  const double value = static_cast<double>(values[own]) * scale;
  double squares = 0;
  double misses = 0;
  double leans = 0;
  for (int other = 0; other < order; ++other) {
    wide product = scaled(number(vectors, own, other), -value);
    wide inner{};
    for (int k = 0; k < order; ++k) {
      // Row `other` of A is column `other`, conjugated.
      const wide of_matrix = scaled(number(matrix, first + other, k), scale);
      squares += squared_size(of_matrix);
      product = mixed(1.0, product, conjugate(of_matrix), number(vectors, own, k));
      inner = mixed(1.0, inner, conjugate(number(vectors, first + other, k)), number(vectors, own, k));
    }
    if (first + other == own) inner.re -= 1;
    misses += squared_size(product);
    leans += squared_size(inner);
  }
  ascending[own] = values[own];
  residual[own] = 1 + sqrt(misses) / (squares > 0 ? sqrt(squares) : 1.0);
  orthogonality[own] = 1 + sqrt(leans);
}

/// The eigenvalues in double, and |A| for each. Grid: one thread per matrix, blocks of 64; `scratch` has 2 n^2 entries
/// for each.
template <class T, entries E, int N>
__global__ void __launch_bounds__(64)
    reference(const T* matrix, double* ascending, double* magnitude, double* scratch, long long matrices) {
  const long long own = static_cast<long long>(blockIdx.x) * 64 + threadIdx.x;
  if (own >= matrices) return;
  constexpr jacobi_thread_params kPlain{};
  column_entries<double, E, N> of{scratch + own, matrices};
  double largest = 0;
  for (int column = 0; column < N; ++column)
    for (int row = 0; row < N; ++row) {
      const entry<T, E> x = load_entry<E>(matrix, (own * N + column) * N + row);
      entry<double, E> wide{static_cast<double>(x.re)};
      if constexpr (E == entries::complex) wide.im = static_cast<double>(x.im);
      largest = fmax(largest, largest_part(wide));
      if (row <= column) of.set(upper(row, column), wide);
      of.set(vector_entry<N>(row, column), entry<double, E>{row == column ? 1.0 : 0.0});
    }
  const double scale = scale_for(largest);
  double squares = 0;
  for (int column = 0; column < N; ++column)
    for (int row = 0; row < N; ++row) squares += squared_size(scaled(get_entry(of, row, column), scale));
  sweep_alone<kPlain, double, E, N>(of);
  for (int k = 0; k < N; ++k) {
    ascending[own * N + rank_of_value<1, double, column_entries<double, E, N>, N>(of, k)] = of.get(upper(k, k)).re;
    magnitude[own * N + k] = sqrt(squares) / scale;
  }
}

}  // namespace warpwright::eigen
