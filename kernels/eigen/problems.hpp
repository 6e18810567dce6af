// Properties of a problem of eigen, for kernels, ports and libraries.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::eigen {

/// Number of rows of each matrix.
inline std::int64_t order_of(const Problem& problem) {
  return problem.integer("order");
}

inline bool is_complex(const Problem& problem) {
  return problem.option("entries") == "complex";
}

/// Real numbers per entry: 2 for complex ones.
inline std::int64_t parts_of(const Problem& problem) {
  return is_complex(problem) ? 2 : 1;
}

/// Real numbers per matrix.
inline std::int64_t square_of(const Problem& problem) {
  return order_of(problem) * order_of(problem) * parts_of(problem);
}

/// Number of roundings that a value takes part in, for this many sweeps, each in this many stages of pairs that share
/// no row. In each stage the rotation's c and e (rotation.cuh) have an error of 2 roundings, and c x + e y adds 2 more.
/// All skipped entries together count as one. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// lemma 19.9.
inline double turning_depth(double sweeps, double stages) {
  return 4 * sweeps * stages + 1;
}

/// Stages of a sweep along the rows: a rotation waits only for others that share a row.
inline double cyclic_stages(const Problem& problem) {
  return problem.number("order") * 2 - 3;
}

}  // namespace warpwright::eigen
