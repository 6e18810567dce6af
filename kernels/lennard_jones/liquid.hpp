// The oracle: atoms on the CPU, all pairs in long double, with bounds on a kernel's rounding errors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::lennard_jones {

using Vector = std::array<long double, 3>;

/// A force, and a bound on a kernel's error, in units of the unit roundoff u.
struct Pull {
  Vector force = {};
  long double error = 0;
  int around = 0;  ///< number of atoms within the outer reach of lists
};

/// Kinetic and potential energy in eV, each with the size of its terms and their errors (see pair_energy_error).
struct Energy {
  long double kinetic = 0, potential = 0;
  long double kinetic_size = 0, potential_size = 0;
  std::int64_t pairs = 0;  ///< number of pairs within the cutoff
};

/// Moving atoms, with bounds on the errors of a kernel that computes the same in a type with unit roundoff u. An error
/// is the length of a vector, in units of u.
/// A pair's force has three kinds of error: kPairRoundings, plus one rounding for each further pair, relative to the
/// sizes of its terms; the effect of the error of its vector, at the smallest distance which that error allows (see
/// steepness); and all of the force, if that error decides whether the pair is within the cutoff.
struct Liquid {
  std::vector<Vector> place = {}, velocity = {};
  std::vector<long double> place_error = {}, velocity_error = {};
  long double side = 0;
  long double unit = 0;   ///< u
  long double outer = 0;  ///< the outer reach of lists
  int crowd = 0;          ///< the most atoms around one atom in all force evaluations so far

  /// The problem's atoms, without errors, with velocities if the problem has them.
  Liquid(const Problem& problem, const std::vector<Bytes>& inputs);

  Pull pull_on(std::size_t atom) const;
  /// The forces on all atoms; updates `crowd`.
  std::vector<Pull> pulls();
  /// Steps of velocity Verlet of length dt.
  void advance(std::int64_t steps, long double dt);
  Energy energy() const;
  /// The energy with the potential shifted to 0 at the cutoff, so that pairs which cross it change nothing.
  long double lasting_energy() const;
  /// The number of neighbours of an atom within the reach.
  int neighbors_within(std::size_t atom, long double reach) const;
  int most_within(long double reach) const;

 private:
  Vector between(std::size_t from, std::size_t to, long double& rounding) const;
};

/// The expected forces, positions and velocities (each with its error), energies, or scaled velocities. If rows of
/// lists may be too short, only `overflow` is expected, because its other results are undefined.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// Errors of forces, positions and velocities are in units of u and include all roundings.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::lennard_jones
