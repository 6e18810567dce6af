// What kernels, ports and libraries ask of a problem of eigenvalues.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::eigen {

/// Rows of each matrix.
inline std::int64_t order_of(const Problem& problem) {
  return problem.integer("order");
}

inline bool is_complex(const Problem& problem) {
  return problem.option("entries") == "complex";
}

/// Numbers of an entry.
inline std::int64_t parts_of(const Problem& problem) {
  return is_complex(problem) ? 2 : 1;
}

/// Numbers of all entries of one matrix.
inline std::int64_t square_of(const Problem& problem) {
  return order_of(problem) * order_of(problem) * parts_of(problem);
}

/// Roundings that a number takes part in when the pairs of each of so many sweeps are met in so many stages of pairs
/// that share no row: in each c and e are off by 2 roundings, c x + e y adds 2 more. Entries that are let be count for
/// one together. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 19.9.
inline double turning_depth(double sweeps, double stages) {
  return 4 * sweeps * stages + 1;
}

/// Stages of a sweep along the rows: turns wait for others that share a row only.
inline double cyclic_stages(const Problem& problem) {
  return problem.number("order") * 2 - 3;
}

}  // namespace warpwright::eigen
