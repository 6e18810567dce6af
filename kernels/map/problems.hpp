// What problems of map ask for, in words that callables need too: nothing here is linked.
#pragma once

#include <string>

#include "kernels/model/problem.hpp"

namespace warpwright::map {

/// Empty where the problem's operation is `op`, else what the kernel solves.
inline std::string solves_only(const Problem& problem, const std::string& op) {
  return problem.option("op") == op ? "" : "it solves op=" + op;
}

inline bool is_axpy(const Problem& problem) {
  return problem.option("op") == "axpy";
}

inline bool is_sqrt_loop(const Problem& problem) {
  return problem.option("op") == "sqrt_loop";
}

/// Why a problem is no sum of floating products; empty where it is.
inline std::string refuses_as_axpy(const Problem& problem) {
  if (const std::string other = solves_only(problem, "axpy"); !other.empty()) return other;
  return is_floating(problem.type()) ? "" : "the factor may be a fraction: needs float or double";
}

}  // namespace warpwright::map
