// The systems on which Richardson's iteration is tested: matrices entry by entry, and the rows of sparse ones in closed
// form.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::richardson {

enum class content {
  any,       ///< arbitrary entries
  settling,  ///< odd rows have entries of +-1 in even columns: with exact sums, the sweeps become stationary or drift
             ///< evenly
  contracting,  ///< I + alpha A is small: every sweep reduces the distance from the solution to a quarter or less
  ring          ///< circulant; its eigenvalues are diagonal + 2 beside cos(2 pi k / rows)
};

/// Rows of about `per_row` entries, stored one after another, rows * per_row in total. Of every eight rows, the first
/// has `least` entries and the second has the entries that the first lacks; a last row without a second one has
/// `per_row`.
struct sparse_rows {
  long long rows;
  int per_row;
  int least;
  content kind;  ///< every row of a ring has `per_row` entries

  __host__ __device__ constexpr long long start(long long row) const {
    const bool is_second = kind != content::ring && row % 8 == 1 && row != rows;
    return is_second ? per_row * (row - 1) + least : per_row * row;
  }
  __host__ __device__ constexpr long long row_of(long long entry) const {
    const long long row = entry / per_row;
    return row + 1 < rows && entry >= start(row + 1) ? row + 1 : row;
  }
};

/// The start of each row of a sparse matrix, and the end of the last.
struct row_starts {
  sparse_rows of;
  __host__ __device__ constexpr long long operator()(unsigned long long, long long index, long long) const {
    return of.start(index);
  }
};

/// The columns of a sparse matrix: the diagonal first in every row; a column may occur twice in a row.
struct entry_columns {
  sparse_rows of;
  __host__ __device__ constexpr int operator()(unsigned long long seed, long long index, long long) const {
    const long long row = of.row_of(index);
    const long long place = index - of.start(row);
    const auto bits = static_cast<long long>(generate::bits_at(seed, index) >> 1);
    if (place == 0) return static_cast<int>(row);
    if (of.kind == content::settling) return static_cast<int>(bits % ((of.rows + 1) / 2) * 2);
    if (of.kind != content::ring) return static_cast<int>(bits % of.rows);
    return static_cast<int>(place == 1 ? (row + 1) % of.rows : place == 2 ? (row + of.rows - 1) % of.rows : row);
  }
};

namespace detail {

/// An entry off the diagonal.
template <class T>
__host__ __device__ constexpr T beside_diagonal(content kind, T beside, long long row, bool is_in_even_column,
                                                unsigned long long seed, long long index) {
  if (kind == content::contracting) return generate::element<T>(generate::spread::uniform, seed, index, 0) * beside;
  if (row % 2 == 0 || !is_in_even_column) return T(0);
  return (generate::bits_at(seed, index) & 1) == 0 ? T(1) : T(-1);
}

}  // namespace detail

/// The entries of a dense matrix, row by row.
template <class T>
struct dense_entries {
  long long rows;
  content kind;
  T diagonal, beside;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const long long row = index / rows;
    const long long column = index % rows;
    if (kind == content::ring) {
      T value = row == column ? diagonal : T(0);
      if (column == (row + 1) % rows) value += beside;
      if (column == (row + rows - 1) % rows) value += beside;
      return value;
    }
    if (row == column) return diagonal;
    return detail::beside_diagonal(kind, beside, row, column % 2 == 0, seed, index);
  }
};

/// The entries of a sparse matrix.
template <class T>
struct sparse_entries {
  sparse_rows of;
  T diagonal, beside;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const long long row = of.row_of(index);
    const long long place = index - of.start(row);
    if (place == 0) return diagonal;
    if (of.kind == content::ring) return place <= 2 ? beside : T(0);
    return detail::beside_diagonal(of.kind, beside, row, true, seed, index);
  }
};

}  // namespace warpwright::richardson
