// Atoms as the CPU sees them, all pairs in long double, with how far rounding may have taken a kernel from them; and
// the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::lennard_jones {

using Vector = std::array<long double, 3>;

/// A force, and how far a kernel's may be from it, in units of the unit roundoff u.
struct Pull {
  Vector force = {};
  long double error = 0;
  int around = 0;  ///< atoms within the outer reach of lists
};

/// Kinetic and potential energy in eV, each with the size of its terms and of their errors (see pair_energy_error).
struct Energy {
  long double kinetic = 0, potential = 0;
  long double kinetic_size = 0, potential_size = 0;
  std::int64_t pairs = 0;  ///< nearer than the cutoff
};

/// Atoms on their way, and bounds of the errors of whoever computes the same in a type of unit roundoff u. An error is
/// the length of a vector, in units of u. A pair's force is off by kPairRoundings and by one for each further pair, of
/// the sizes of its terms; by what an error of its vector makes of it, where the atoms are as near as that may have
/// brought them (see steepness); and altogether where that error decides whether they are nearer than the cutoff.
struct Liquid {
  std::vector<Vector> place = {}, velocity = {};
  std::vector<long double> place_error = {}, velocity_error = {};
  long double side = 0;
  long double unit = 0;   ///< u
  long double outer = 0;  ///< the outer reach of lists
  int crowd = 0;          ///< the most atoms around one, when forces were last summed or at any time before

  /// The problem's atoms, without errors; velocities where there are any.
  Liquid(const Problem& problem, const std::vector<Bytes>& inputs);

  Pull pull_on(std::size_t atom) const;
  /// On all atoms; notes the crowd.
  std::vector<Pull> pulls();
  /// Steps of velocity Verlet of that length.
  void advance(std::int64_t steps, long double dt);
  Energy energy() const;
  /// The potential is moved to 0 at the cutoff, so that pairs which cross it change nothing.
  long double lasting_energy() const;
  /// Neighbours of an atom that are nearer than the reach.
  int neighbors_within(std::size_t atom, long double reach) const;
  int most_within(long double reach) const;

 private:
  Vector between(std::size_t from, std::size_t to, long double& rounding) const;
};

/// Forces with their errors; positions and velocities with theirs; the energies; or the scaled velocities. Where rows
/// of lists may be too short nothing but `overflow` is asked for: other errors are lost.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// Errors of forces, positions and velocities are in units of u, and hold all roundings.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::lennard_jones
