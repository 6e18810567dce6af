// What kernels, oracle and ports ask of a problem: whether it is one of forces or of steps, and its numbers.
#pragma once

#include "kernels/model/problem.hpp"

namespace warpwright::nbody {

/// Whether bodies are moved; else what pulls them is asked for.
inline bool moves(const Problem& problem) {
  return problem.option("op") == "steps";
}

/// How often all pairs are looked at: once before the first step and behind each.
inline double evaluations(const Problem& problem) {
  if (!moves(problem)) return 1;
  return problem.integer("steps") == 0 ? 0 : problem.number("steps") + 1;
}

inline double softening_squared(const Problem& problem) {
  return problem.number("softening") * problem.number("softening");
}

/// Roundings within a term, of its own size: the difference 1, which counts twice in the square, the square of the
/// softening and three sums of positive terms 6 in all; three times half of that behind the root; four products; and
/// three times the error of the root, 2 units in the last place for floats (those of rsqrt.approx.ftz.f32 are fewer)
/// and 1 for doubles, of two roundings each.
inline constexpr double kTermRoundings = 1 + 9 + 4 + 3 * 4;

/// Roundings of a sum of `terms` pulls, however they are put together.
inline double chain_depth(double terms) {
  return terms + kTermRoundings;
}

}  // namespace warpwright::nbody
