// What problems of random ask for. Header-only, because callables include it without linking the catalogue.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/model/problem.hpp"

namespace warpwright::random {

inline bool is_normal(const Problem& problem) {
  return problem.option("distribution") == "normal";
}

/// Whether normal numbers are computed by the inverse distribution function.
inline bool is_inverse(const Problem& problem) {
  return problem.option("transform") == "inverse";
}

/// The offset in its sequence at which a problem begins.
inline std::uint64_t offset_of(const Problem& problem) {
  return static_cast<std::uint64_t>(problem.integer("offset"));
}

/// The reason why such numbers do not exist; empty if they do.
inline std::string refuses(const Problem& problem) {
  if (is_normal(problem)) return is_floating(problem.type()) ? "" : "normal numbers are float or double";
  return is_inverse(problem) ? "uniform numbers take no transform: transform=box_muller stands for none" : "";
}

}  // namespace warpwright::random
