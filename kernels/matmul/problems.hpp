// Properties of a problem of matmul, for kernels, ports and libraries: sizes, and the form of B.
#pragma once

#include <cmath>

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

/// The type of C, alpha, beta and the sums, which is the last one (sum_of in product.cuh).
inline ElementType sum_type(const std::vector<ElementType>& types) {
  return types.back();
}

/// Whether A and B have 16-bit elements.
inline bool has_halves(const Problem& problem) {
  return size_of(problem.type()) == 2;
}

/// Number of products in a sum; 0 if alpha is 0, because A and B are then not read.
inline std::int64_t terms_of(const Problem& problem) {
  return problem.number("alpha") == 0 ? 0 : problem.shape[2];
}

/// Whether there is anything to multiply and store, which libraries require.
inline bool has_elements(const Problem& problem) {
  return problem.elements() > 0;
}

/// Roundings of a sum of `terms` products added one after another, and of storing it in C.
inline double chain_depth(double terms) {
  return terms + 2;
}

/// The same of a sum of halves' products on matrix units, as so many roundings in float arithmetic. They add four
/// products or more to a sum at once and cut off bits: each of these numbers and their sum lose less than 2 u of the
/// largest. Source: M. Fasi, N. Higham, M. Mikaitis, S. Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ
/// Computer Science, 2021.
inline double matrix_unit_depth(double terms) {
  return chain_depth(2 * (terms + 2 * std::ceil(terms / 4)));
}

}  // namespace warpwright::matmul
