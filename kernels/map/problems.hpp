// What problems of map ask for. Header-only, because callables include it without linking the catalogue.
#pragma once

#include <string>

#include "kernels/model/problem.hpp"

namespace warpwright::map {

/// Empty if the problem's operation is `op`, else a reason for refusal.
inline std::string solves_only(const Problem& problem, const std::string& op) {
  return problem.option("op") == op ? "" : "it solves op=" + op;
}

inline bool is_axpy(const Problem& problem) {
  return problem.option("op") == "axpy";
}

inline bool is_sqrt_loop(const Problem& problem) {
  return problem.option("op") == "sqrt_loop";
}

/// The reason why a problem is not a floating-point axpy; empty if it is.
inline std::string refuses_as_axpy(const Problem& problem) {
  if (const std::string other = solves_only(problem, "axpy"); !other.empty()) return other;
  return is_floating(problem.type()) ? "" : "the factor may be a fraction: needs float or double";
}

}  // namespace warpwright::map
