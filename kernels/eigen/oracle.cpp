// Computes eigenvalues by a method independent of Jacobi's: tridiagonal reduction and Sturm sequences.
#include "kernels/eigen/oracle.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/eigen/problems.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::eigen {
namespace {

using Wide = long double;
using Wides = std::vector<Wide>;

/// A symmetric matrix, by rows.
struct Square {
  std::size_t rows;
  Wides entries;
  Wide& at(std::size_t row, std::size_t column) { return entries[row * rows + column]; }
};

/// A symmetric tridiagonal matrix.
struct Tridiagonal {
  Wides diagonal;
  Wides beside;  ///< beside[i] is between rows i - 1 and i; beside[0] is 0

  /// The number of eigenvalues below x, from the signs of the quotients of leading minors. Source: G. Golub, C. Van
  /// Loan, Matrix Computations, 2013, section 8.4.1.
  std::size_t below(Wide x) const {
    std::size_t negative = 0;
    Wide quotient = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      quotient = diagonal[i] - x - beside[i] * beside[i] / quotient;
      if (quotient == 0) quotient = 0x1p-200L;
      if (quotient < 0) ++negative;
    }
    return negative;
  }
};

/// Householder's reduction. Source: as above, section 8.3.1.
Tridiagonal tridiagonal(Square a) {
  const std::size_t n = a.rows;
  for (std::size_t k = 0; k + 2 < n; ++k) {
    Wides v(n);
    Wide below = 0;
    for (std::size_t i = k + 1; i < n; ++i) {
      v[i] = a.at(i, k);
      if (i > k + 1) below += v[i] * v[i];
    }
    if (below == 0) continue;
    const Wide first = v[k + 1];
    const Wide norm = std::sqrt(first * first + below);
    v[k + 1] += std::copysign(norm, first);
    const Wide twice = 2 / (v[k + 1] * v[k + 1] + below);
    Wides w(n);
    Wide inner = 0;
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j < n; ++j) w[i] += a.at(i, j) * v[j];
      w[i] *= twice;
      inner += w[i] * v[i];
    }
    for (std::size_t i = k + 1; i < n; ++i) w[i] -= inner * twice / 2 * v[i];
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < n; ++j) a.at(i, j) -= v[i] * w[j] + w[i] * v[j];
    a.at(k + 1, k) = -std::copysign(norm, first);
  }
  Tridiagonal made{Wides(n), Wides(n)};
  for (std::size_t i = 0; i < n; ++i) {
    made.diagonal[i] = a.at(i, i);
    if (i > 0) made.beside[i] = a.at(i, i - 1);
  }
  return made;
}

/// The eigenvalues number 0, step, 2 step, ... in ascending order. All must lie within `size` of 0. Bits below 2^-56 of
/// the power of two above `size` are cut off, because there this method rounds.
Wides ascending(const Tridiagonal& of, std::size_t step, Wide size) {
  if (size == 0) return Wides(of.diagonal.size() / step);
  const Wide grain = std::exp2(std::floor(std::log2(size)) - 55);
  Wides values;
  for (std::size_t k = 0; k < of.diagonal.size(); k += step) {
    Wide low = -2 * size;
    Wide high = 2 * size;
    while (high - low > grain / 32) {
      const Wide middle = (low + high) / 2;
      (of.below(middle) > k ? high : low) = middle;
    }
    values.push_back(std::round((low + high) / 2 / grain) * grain);
  }
  return values;
}

/// A Hermitian matrix R + i M has the eigenvalues of [R, -M; M, R], which has each of them twice.
template <class T>
Spectra spectra_of(const Problem& problem, const std::vector<T>& numbers) {
  const auto order = static_cast<std::size_t>(order_of(problem));
  const auto parts = static_cast<std::size_t>(parts_of(problem));
  Spectra made;
  for (std::size_t matrix = 0; matrix < static_cast<std::size_t>(problem.shape[0]); ++matrix) {
    Square whole{order * parts, Wides(order * parts * order * parts)};
    Wide squares = 0;
    for (std::size_t at = 0; at < order * order * parts; ++at) {
      const Wide number = static_cast<Wide>(numbers[matrix * order * order * parts + at]);
      const std::size_t row = at / parts % order;
      const std::size_t column = at / parts / order;
      squares += number * number;
      if (at % parts == 0) {
        for (std::size_t half = 0; half < parts; ++half) whole.at(row + half * order, column + half * order) = number;
      } else {
        whole.at(row + order, column) = number;
        whole.at(row, column + order) = -number;
      }
    }
    const Wide size = std::sqrt(squares);
    const Wides values = ascending(tridiagonal(std::move(whole)), parts, size);
    made.values.insert(made.values.end(), values.begin(), values.end());
    made.sizes.push_back(static_cast<double>(size));
  }
  return made;
}

}  // namespace

Spectra spectra(const Problem& problem, const Bytes& matrices) {
  return with_type_of<float, double>(problem.type(),
                                     [&]<class T>(T) { return spectra_of(problem, elements_of<T>(matrices)); });
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const Spectra known = spectra(problem, inputs.at(0));
  const auto order = static_cast<std::size_t>(order_of(problem));
  std::vector<double> sizes;
  for (const double size : known.sizes) sizes.insert(sizes.end(), order, size);
  const std::vector<double> ones(known.values.size(), 1);
  return {{.buffer = "ascending", .values = bytes_of(known.values), .magnitude = std::move(sizes)},
          {.buffer = "residual", .values = bytes_of(ones), .magnitude = ones},
          {.buffer = "orthogonality", .values = bytes_of(ones), .magnitude = ones}};
}

/// The kernel rotates A from both sides, with `depth` roundings each, into a diagonal similar to A except for an error
/// of gamma(depth) |A| from either side; so each eigenvalue has an error of at most twice that (Weyl). The vectors are
/// rotated from one side: V^H V has an error of 2 gamma(depth) for unit vectors, and A V both errors together. Sources:
/// J. Demmel, K. Veselic, SIAM J. Matrix Anal. Appl. 13 (1992), section 3; G. Golub, C. Van Loan, Matrix Computations,
/// 2013, section 8.5.5. Blocks of two with equal diagonal entries and an integer |b| have eigenvalues that are sums of
/// integers.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth) {
  const bool are_integers = input.name == "blocks" && output == "ascending";
  if (input.exact || are_integers)
    return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  const double roundings = depth * unit_roundoff(problem.type());
  const double gamma = roundings / (1 - roundings);
  const double order = problem.number("order");
  if (output == "orthogonality")
    return {.comparison = Comparison::bounded,
            .relative = 2 * gamma * std::sqrt(order),
            .absolute = 0,
            .formula = "2 sqrt(order) gamma(depth)"};
  const bool is_residual = output == "residual";
  return {.comparison = Comparison::bounded,
          .relative = (is_residual ? 4 : 2) * gamma,
          .absolute = is_residual ? 0 : depth * order * smallest_normal(problem.type()),
          .formula = is_residual ? "4 gamma(depth) |A|" : "2 gamma(depth) |A| + depth * order * smallest normal"};
}

}  // namespace warpwright::eigen
