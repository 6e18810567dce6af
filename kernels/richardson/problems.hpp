// Properties of a problem of richardson, for kernels, ports and libraries.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::richardson {

inline bool is_sparse(const Problem& problem) {
  return problem.option("matrix") == "csr";
}

/// Whether sweeps end when the residual is small.
inline bool stops_early(const Problem& problem) {
  return problem.option("stop") == "residual";
}

/// Number of stored entries of the matrix.
inline std::int64_t entries(const Problem& problem) {
  const std::int64_t rows = problem.shape[0];
  return rows * (is_sparse(problem) ? problem.integer("per_row") : rows);
}

/// Number of terms in the longest row's product.
inline std::int64_t longest_row(const Problem& problem) {
  return is_sparse(problem) ? 2 * problem.integer("per_row") : problem.shape[0];
}

/// Roundings of a sweep in which a product is summed in a chain of this length: the products, f, and the step.
inline double sweep_depth(const Problem& problem, std::int64_t chain) {
  return problem.number("sweeps") * (static_cast<double>(chain) + 2);
}

}  // namespace warpwright::richardson
