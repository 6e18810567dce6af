// Properties of a problem of nbody, for kernels, oracle and ports: forces or steps, and its numbers.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::nbody {

/// Whether the problem asks for steps; else it asks for accelerations.
inline bool moves(const Problem& problem) {
  return problem.option("op") == "steps";
}

/// How often the forces of all pairs are computed: before the first step and after each.
inline double evaluations(const Problem& problem) {
  if (!moves(problem)) return 1;
  return problem.integer("steps") == 0 ? 0 : problem.number("steps") + 1;
}

inline double softening_squared(const Problem& problem) {
  return problem.number("softening") * problem.number("softening");
}

/// Roundings within a term, relative to its size. The difference has 1, which counts twice in the square; with the
/// square of the softening and three sums of positive terms these are 6 in all, and the power -3/2 multiplies the error
/// by 3/2. Four products follow. The error of the root counts three times: 2 units in the last place for floats
/// (rsqrt.approx.ftz.f32 has less) and 1 for doubles, each two roundings.
inline constexpr double kTermRoundings = 1 + 9 + 4 + 3 * 4;

/// Roundings of a sum of `terms` forces, in any order.
inline double chain_depth(double terms) {
  return terms + kTermRoundings;
}

}  // namespace warpwright::nbody
