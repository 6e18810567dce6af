// Properties of a problem of matmul, for kernels, ports and libraries: sizes, and the form of B.
#pragma once

#include <cmath>
#include <string>

#include "kernels/matmul/extents.cuh"
#include "kernels/model/problem.hpp"

namespace warpwright::matmul {

/// Whether B is stored as N x K.
inline bool is_transposed(const Problem& problem) {
  return problem.option("b") == "transposed";
}

inline extents extents_of(const Problem& problem) {
  const std::int64_t m = problem.shape[0];
  const std::int64_t n = problem.shape[1];
  const std::int64_t k = problem.shape[2];
  return {.m = m,
          .n = n,
          .k = k,
          .lda = k + problem.integer("pad_a"),
          .ldb = (is_transposed(problem) ? k : n) + problem.integer("pad_b"),
          .ldc = n + problem.integer("pad_c")};
}

/// Number of matrix products, whose matrices follow each other in memory (a batch).
inline std::int64_t products_of(const Problem& problem) {
  return problem.numbers.contains("products") ? problem.integer("products") : 1;
}

/// Rows of B in memory, of one matrix product.
inline std::int64_t rows_of_b(const Problem& problem) {
  return is_transposed(problem) ? problem.shape[1] : problem.shape[2];
}

/// The index in B of the element that is multiplied for that term of C[row][column]. The row is counted through all
/// matrix products: row / m is the number of the product.
inline std::int64_t place_in_b(const Problem& problem, const extents& e, std::int64_t row, std::int64_t column,
                               std::int64_t term) {
  const std::int64_t first = row / e.m * rows_of_b(problem);
  return is_transposed(problem) ? (first + column) * e.ldb + term : (first + term) * e.ldb + column;
}

/// The type of C, alpha, beta and the sums, which is the last one (sum_of in product.cuh).
inline ElementType sum_type(const std::vector<ElementType>& types) {
  return types.back();
}

/// alpha or beta. Only its whole part counts if sums are integers.
inline double factor_of(const Problem& problem, const std::string& name) {
  const double factor = problem.number(name);
  return is_floating(sum_type(problem.types)) ? factor : std::trunc(factor);
}

/// Whether kernels that multiply with ordinary instructions take these elements: those of 16 bits, floats and doubles.
/// Others are for matrix units.
inline bool has_ordinary_elements(const Problem& problem) {
  const ElementType type = problem.type();
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 || type == ElementType::bf16;
}

/// Whether A and B have 16-bit elements.
inline bool has_halves(const Problem& problem) {
  return size_of(problem.type()) == 2;
}

/// Whether A and B have elements that matrix units multiply as they are: of 8 and 16 bits, and TF32.
inline bool has_short_elements(const Problem& problem) {
  return problem.type() != ElementType::f32 && problem.type() != ElementType::f64;
}

/// For kernels whose blocks are not numbered in y.
inline std::string refuses_several_products(const Problem& problem) {
  return products_of(problem) == 1 ? "" : "computes one product, not several of the same size";
}

/// Number of terms of a sum; 0 if alpha is 0, because A and B are then not read.
inline std::int64_t terms_of(const Problem& problem) {
  return factor_of(problem, "alpha") == 0 ? 0 : problem.shape[2];
}

/// Whether there is anything to multiply and store, which libraries require.
inline bool has_elements(const Problem& problem) {
  return problem.elements() > 0;
}

/// Roundings of a sum of `terms` products added one after another, and of storing it in C.
inline double chain_depth(double terms) {
  return terms + 2;
}

/// Roundings, in float arithmetic, that bound the error of a sum of `terms` products of 16-bit elements or TF32 on
/// matrix units. These add at least four products and the sum before them at once, and cut off bits: each addend and
/// the result lose less than 2 u of the largest addend (u = 2^-24). Source: M. Fasi, N. Higham, M. Mikaitis, S.
/// Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science, 2021.
inline double matrix_unit_depth(double terms) {
  return chain_depth(2 * (terms + 2 * std::ceil(terms / 4)));
}

/// The same for 8-bit floats, if matrix units add `interval` terms, from zero, before an ordinary addition. For the
/// worst of the known units: they add 16 products and the sum before them at once, and cut off what is more than 13
/// bits below the leading bit of the largest; the result is cut off in the same way. Sources: docs/matrix_units.md,
/// "How the simulator adds".
inline double float8_depth(double terms, double interval) {
  constexpr double kAtOnce = 16, kLostBits = 2048;  // 2^-13 is 2048 u
  return chain_depth(std::ceil(terms / interval) + std::ceil(interval / kAtOnce) * (kAtOnce + 2) * kLostBits);
}

}  // namespace warpwright::matmul
