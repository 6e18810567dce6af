// Test matrices for decompositions: diagonal ones, blocks of two, and those with a known spectrum.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::eigen {

enum class content {
  diagonal,   ///< small integers on the diagonal, some more than once
  blocks,     ///< pairs of rows, independent of all others: [a, b; conj(b), a] with the eigenvalues a - |b| and a + |b|
  rank_one,   ///< one eigenvalue is n, all others 0
  random,     ///< the upper triangle and the diagonal are uniform
  spectrum,   ///< eigenvalues 1 to n
  clustered,  ///< eigenvalues 1, 2 and 3, each for a third of the vectors
};

/// Number `index` of a batch of order x order matrices, column by column; an entry has `parts` numbers.
template <class T>
struct batch_of {
  content kind;
  int order;
  int parts;
  T largest;  ///< of random entries: a power of two

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const long long matrix = index / (order * order * parts);
    const int at = static_cast<int>(index / parts % (order * order));
    const place of{matrix, at % order, at / order, static_cast<int>(index % parts)};
    switch (kind) {
      case content::diagonal:
        return of.row == of.column && of.part == 0 ? small_integer(seed, of, of.row) : T(0);
      case content::blocks:
        return of_blocks(seed, of);
      case content::random:
        return random(seed, of);
      case content::rank_one:
        return turned(T(1), quarter(seed, of, of.row) - quarter(seed, of, of.column), of.part);
      default:
        return reflected(seed, of);
    }
  }

 private:
  struct place {
    long long matrix;
    int row, column, part;
  };

  /// Random bits for row `row` of a matrix.
  __host__ __device__ constexpr unsigned long long bits(unsigned long long seed, const place& of, int row) const {
    return generate::bits_at(seed, of.matrix * order + row);
  }
  __host__ __device__ constexpr T small_integer(unsigned long long seed, const place& of, int row) const {
    return static_cast<T>(static_cast<int>(bits(seed, of, row) % 9) - 4);
  }
  /// The phase of a row in quarter turns; only half turns if entries are real.
  __host__ __device__ constexpr int quarter(unsigned long long seed, const place& of, int row) const {
    const int drawn = static_cast<int>(bits(seed, of, row) >> 40 & 3);
    return parts == 2 ? drawn : 2 * (drawn & 1);
  }
  /// The real or imaginary part of `size`, turned by this many quarter turns.
  static __host__ __device__ constexpr T turned(T size, int quarters, int part) {
    const int by = (quarters + 4) % 4;
    if (by % 2 != part) return T(0);
    return by < 2 ? size : -size;
  }

  /// A random permutation pairs the rows of blocks of two. The first row of a pair decides the value of b.
  __host__ __device__ constexpr T of_blocks(unsigned long long seed, const place& of) const {
    const unsigned long long own = seed + static_cast<unsigned long long>(of.matrix);
    const auto row = static_cast<int>(generate::permuted(own, of.row, order));
    const auto column = static_cast<int>(generate::permuted(own, of.column, order));
    if (row / 2 != column / 2) return T(0);
    const int first = row / 2 * 2;
    if (row == column) return of.part == 0 ? small_integer(seed, of, first) : T(0);
    const int quarters = quarter(seed, of, first);
    const auto size = static_cast<T>(static_cast<int>(bits(seed, of, first) >> 50 & 3) + 1);
    return turned(size, row == first ? quarters : -quarters, of.part);
  }

  __host__ __device__ constexpr T random(unsigned long long seed, const place& of) const {
    const bool is_upper = of.row <= of.column;
    const long long row = is_upper ? of.row : of.column;
    const long long column = is_upper ? of.column : of.row;
    if (row == column && of.part == 1) return T(0);
    const T drawn = generate::element<T>(generate::spread::uniform, seed,
                                         ((of.matrix * order + column) * order + row) * 2 + of.part, 0);
    return (of.part == 1 && !is_upper ? -drawn : drawn) * largest;
  }

  /// Eigenvalue number k.
  __host__ __device__ constexpr double eigenvalue(int k) const { return kind == content::spectrum ? k + 1 : k % 3 + 1; }

  /// H D H with the reflection H = 1 - 2 v v^H / n; all components of v have absolute value 1.
  __host__ __device__ constexpr T reflected(unsigned long long seed, const place& of) const {
    double sum = 0;
    for (int k = 0; k < order; ++k) sum += eigenvalue(k);
    const double both = eigenvalue(of.row) + eigenvalue(of.column);
    const double size = (4 * sum / order - 2 * both) / order;
    const T mirrored = turned(static_cast<T>(size), quarter(seed, of, of.row) - quarter(seed, of, of.column), of.part);
    return of.row == of.column && of.part == 0 ? static_cast<T>(size + eigenvalue(of.row)) : mirrored;
  }
};

}  // namespace warpwright::eigen
