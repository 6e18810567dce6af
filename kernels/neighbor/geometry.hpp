// The box of a problem in integer grid steps. Header-only, because ports include it without linking the catalogue.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/model/problem.hpp"
#include "kernels/neighbor/data.cuh"

namespace warpwright::neighbor {

/// 2 or 3.
inline int dim_of(const Problem& problem) {
  return problem.option("dim") == "xy" ? 2 : 3;
}

inline std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// The largest r with r^dim <= limit, by bisection, so that it does not depend on floating-point rounding. limit must
/// be >= 0.
inline std::int64_t whole_root(std::int64_t limit, int dim) {
  std::int64_t low = 0;
  // No overflow: 2^31 squared and 2^20 cubed are below 2^63.
  std::int64_t high = dim == 2 ? std::int64_t{1} << 31 : std::int64_t{1} << 20;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (power(middle, dim) <= limit)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// The smallest r >= 1 with each * r^dim >= wanted.
inline std::int64_t root_at_least(std::int64_t wanted, std::int64_t each, int dim) {
  const std::int64_t needed = (wanted + each - 1) / each;
  const std::int64_t root = whole_root(needed, dim);
  return std::max<std::int64_t>(power(root, dim) < needed ? root + 1 : root, 1);
}

/// Edge of the box in steps: the smallest that holds the lattice of the data set, or this many bodies at argon's
/// density.
inline std::int64_t side_of(const Problem& problem) {
  const int dim = dim_of(problem);
  const std::int64_t bodies = problem.shape[0];
  if (problem.data == "honeycomb") return honeycomb_square * root_at_least(bodies, honeycomb_bodies, 2);
  const std::int64_t in_cell = dim == 3 ? 4 : 2;
  if (problem.data == "fcc") return fcc_edge * root_at_least(bodies, in_cell, dim);
  return root_at_least(std::max<std::int64_t>(bodies, 1) * power(fcc_edge, dim), in_cell, dim);
}

/// The cutoff in steps.
inline std::int64_t cutoff_of(const Problem& problem) {
  return std::llround(problem.number("cutoff") * steps_per_angstrom);
}

}  // namespace warpwright::neighbor
