// What problems of random ask for, in words that callables need too: nothing here is linked.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/model/problem.hpp"

namespace warpwright::random {

inline bool is_normal(const Problem& problem) {
  return problem.option("distribution") == "normal";
}

/// Whether normal numbers come from the inverse of their distribution function.
inline bool is_inverse(const Problem& problem) {
  return problem.option("transform") == "inverse";
}

/// Where in its sequence a problem begins.
inline std::uint64_t offset_of(const Problem& problem) {
  return static_cast<std::uint64_t>(problem.integer("offset"));
}

/// Why there are no such numbers; empty where there are.
inline std::string refuses(const Problem& problem) {
  if (is_normal(problem)) return is_floating(problem.type()) ? "" : "normal numbers are float or double";
  return is_inverse(problem) ? "uniform numbers take no transform: transform=box_muller stands for none" : "";
}

}  // namespace warpwright::random
