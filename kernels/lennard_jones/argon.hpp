// Argon in eV, angstrom and atomic mass units, and what kernels, oracle and ports ask of a problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/lennard_jones/field.cuh"
#include "kernels/model/problem.hpp"

namespace warpwright::lennard_jones {

/// 4 epsilon ((sigma / r)^12 - (sigma / r)^6), cut off without a shift; the edge of the lattice's cubic cell.
inline constexpr double kEpsilon = 1.032e-2;  ///< eV
inline constexpr double kSigma = 3.405;       ///< angstrom
inline constexpr double kCutoff = 10;         ///< angstrom
inline constexpr double kLattice = 5.385;     ///< angstrom
inline constexpr double kMass = 39.948;       ///< atomic mass units
/// Femtoseconds in angstrom * sqrt(atomic mass unit / eV), from CODATA 2018.
inline constexpr double kTimeUnit = 10.180505710759;

/// Cells of the lattice along an axis of the box, which is at least 48.4 angstrom wide: the nearest image of an atom is
/// the only one within cutoff and skin, and there are four cells for lists along an axis.
inline std::int64_t lattice_cells(const Problem& problem) {
  std::int64_t cells = 9;
  while (4 * cells * cells * cells < problem.shape[0]) ++cells;
  return cells;
}

/// Edge of the periodic box in angstrom, as the problem's type has it.
inline double side_of(const Problem& problem) {
  const double side = kLattice * static_cast<double>(lattice_cells(problem));
  return problem.type() == ElementType::f32 ? static_cast<double>(static_cast<float>(side)) : side;
}

/// Whether atoms move; else the forces on them are asked for.
inline bool moves(const Problem& problem) {
  return problem.option("op") == "steps";
}

/// How often forces are summed: once before the first step and behind each.
inline double evaluations(const Problem& problem) {
  if (!moves(problem)) return 1;
  return problem.integer("steps") == 0 ? 0 : problem.number("steps") + 1;
}

/// Of a step, in the units above.
inline double time_step(const Problem& problem) {
  return problem.number("dt") / kTimeUnit;
}

template <class T>
field<T> field_of(const Problem& problem) {
  const double side = side_of(problem);
  return {.side = static_cast<T>(side),
          .inverse_side = static_cast<T>(1 / side),
          .cutoff_squared = static_cast<T>(kCutoff * kCutoff),
          .sigma_squared = static_cast<T>(kSigma * kSigma),
          .epsilon24 = static_cast<T>(24 * kEpsilon)};
}

}  // namespace warpwright::lennard_jones
