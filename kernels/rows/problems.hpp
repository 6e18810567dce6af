// Properties of a problem of rows, for kernels, ports and libraries.
#pragma once

#include "kernels/model/problem.hpp"
#include "kernels/rows/operation.cuh"

namespace warpwright::rows {

inline operation operation_of(const Problem& problem) {
  const std::string& op = problem.option("op");
  return op == "softmax" ? operation::softmax : op == "layernorm" ? operation::layernorm : operation::rmsnorm;
}

inline bool has_weights(const Problem& problem) {
  return operation_of(problem) != operation::softmax;
}
inline bool has_biases(const Problem& problem) {
  return operation_of(problem) == operation::layernorm;
}

/// Roundings of sums of `terms` terms one after the other, in both passes.
inline double depth_of_passes(double terms) {
  return 2 * terms;
}

/// Roundings on the way of statistics through so many combinations (statistics.cuh).
inline double depth_of_combinations(double combinations) {
  return 8 * combinations;
}

}  // namespace warpwright::rows
