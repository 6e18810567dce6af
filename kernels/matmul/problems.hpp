// What kernels, ports and libraries ask of a problem: sizes, and which form B has.
#pragma once

#include "kernels/matmul/extents.cuh"
#include "kernels/model/problem.hpp"

namespace warpwright::matmul {

/// Whether B lies in memory as N x K.
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

/// The type of C, alpha, beta and the sums: the last one (sum_of in product.cuh).
inline ElementType sum_type(const std::vector<ElementType>& types) {
  return types.back();
}

/// Whether A and B are of 16-bit numbers.
inline bool has_halves(const Problem& problem) {
  return size_of(problem.type()) == 2;
}

/// Products of a sum: none where alpha is 0, so that A and B are not read.
inline std::int64_t terms_of(const Problem& problem) {
  return problem.number("alpha") == 0 ? 0 : problem.shape[2];
}

/// Whether something is multiplied and put somewhere: what libraries take without a question.
inline bool has_elements(const Problem& problem) {
  return problem.elements() > 0;
}

/// Roundings of a sum of `terms` products that are added one after the other, and of its way into C.
inline double chain_depth(double terms) {
  return terms + 2;
}

}  // namespace warpwright::matmul
