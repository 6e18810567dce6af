// Argon in eV, angstrom and atomic mass units, and properties of a problem for kernels, oracle and ports.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/lennard_jones/field.cuh"
#include "kernels/model/problem.hpp"

namespace warpwright::lennard_jones {

/// The potential 4 epsilon ((sigma / r)^12 - (sigma / r)^6), truncated without a shift; and the edge of the lattice's
/// cubic cell.
inline constexpr double kEpsilon = 1.032e-2;          ///< eV
inline constexpr double kSigma = 3.405;               ///< angstrom
inline constexpr double kCutoff = 10;                 ///< angstrom
inline constexpr double kLattice = 5.385;             ///< angstrom
inline constexpr double kMass = 39.948;               ///< atomic mass units
inline constexpr double kBoltzmann = 8.617333262e-5;  ///< eV / K, CODATA 2018
/// The unit of time, angstrom * sqrt(atomic mass unit / eV), in femtoseconds, from CODATA 2018.
inline constexpr double kTimeUnit = 10.180505710759;

/// Cells of the lattice along an axis of the box. The box is at least 48.4 angstrom wide. So only the nearest image of
/// an atom can be within cutoff and skin, and lists have four cells along an axis.
inline std::int64_t lattice_cells(const Problem& problem) {
  std::int64_t cells = 9;
  while (4 * cells * cells * cells < problem.shape[0]) ++cells;
  return cells;
}

/// Edge of the periodic box in angstrom, rounded to the problem's type.
inline double side_of(const Problem& problem) {
  const double side = kLattice * static_cast<double>(lattice_cells(problem));
  return problem.type() == ElementType::f32 ? static_cast<double>(static_cast<float>(side)) : side;
}

/// What the problem asks for: forces on atoms, their energy, velocities scaled to a temperature, or moving the atoms.
inline bool asks_forces(const Problem& problem) {
  return problem.option("op") == "forces";
}
inline bool moves(const Problem& problem) {
  return problem.option("op") == "steps";
}
inline bool asks_energy(const Problem& problem) {
  return problem.option("op") == "energy";
}
inline bool scales(const Problem& problem) {
  return problem.option("op") == "scale";
}

/// How often the forces of all pairs are computed; for steps, before the first step and after each.
inline double evaluations(const Problem& problem) {
  if (scales(problem)) return 0;
  if (!moves(problem)) return 1;
  return problem.integer("steps") == 0 ? 0 : problem.number("steps") + 1;
}

/// The time step in the units above.
inline double time_step(const Problem& problem) {
  return problem.number("dt") / kTimeUnit;
}

/// The sum of all squared velocities at the requested temperature: 3 N k T / m.
inline double wanted_squares(const Problem& problem) {
  return 3 * static_cast<double>(problem.shape[0]) * kBoltzmann * problem.number("temperature") / kMass;
}

/// How far lists reach beyond the cutoff if they are built only once, in angstrom.
inline constexpr double kSkin = 1;

/// Limits on the reach of lists: every kernel must list all atoms within `inner` at the start, and none beyond `outer`
/// at any time, except for roundings. Kernels that move atoms choose their own skin.
struct Reach {
  double inner = 0, outer = 0;  ///< angstrom
};
inline Reach reach_of(const Problem& problem) {
  constexpr double kRoundings = 0.01, kThinnest = 0.5, kWidest = 2;
  if (moves(problem)) return {.inner = kCutoff + kThinnest - kRoundings, .outer = kCutoff + kWidest + kRoundings};
  return {.inner = kCutoff + kSkin - kRoundings, .outer = kCutoff + kSkin + kRoundings};
}

template <class T>
field<T> field_of(const Problem& problem) {
  const double side = side_of(problem);
  const double sixth = std::pow(kSigma, 6);
  return {.side = static_cast<T>(side),
          .inverse_side = static_cast<T>(1 / side),
          .cutoff_squared = static_cast<T>(kCutoff * kCutoff),
          .sigma_squared = static_cast<T>(kSigma * kSigma),
          .turn = static_cast<T>(1 / (2 * sixth)),
          .unit = static_cast<T>(48 * kEpsilon * sixth * sixth)};
}

}  // namespace warpwright::lennard_jones
