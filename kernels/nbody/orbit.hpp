// Bodies as the CPU sees them, in long double, with how far rounding may have taken a kernel from them; and the oracle.
#pragma once

#include <array>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::nbody {

using Vector = std::array<long double, 3>;

/// Bodies on their way, and bounds of the errors of whoever computes the same steps in a type of unit roundoff u. An
/// error is the length of a vector, in units of u. It grows by roundings (D of each pull's size, D being the number of
/// bodies with mass and the roundings within a term; one of each position and velocity) and by what it does to the
/// pulls: a pair's changes by 2 m / s^3 times the change of the distance at most, s being the softened distance where
/// it is least along that change.
struct Orbit {
  std::vector<Vector> place = {}, velocity = {};
  std::vector<long double> mass = {};
  std::vector<long double> place_error = {}, velocity_error = {};
  long double softening_squared = 0;
  long double unit = 0;  ///< u

  /// The problem's bodies before the first step, without errors. `inputs` are those of a problem of steps.
  Orbit(const Problem& problem, const std::vector<Bytes>& inputs);

  /// Steps of the leapfrog (half a kick, drift, half a kick) of that length.
  void advance(std::int64_t steps, long double dt);
  /// Kinetic and potential energy together.
  long double energy() const;
  /// The pull on a body.
  Vector pull_of(std::size_t body) const;

 private:
  void kick(long double time);
  void drift(long double time);
};

/// Accelerations, with the sums of the absolute values of their terms; or bodies and velocities with errors in units of
/// u.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// Of accelerations gamma(depth) of the terms' sizes; where at most most_massive bodies have mass (data.cuh), no more
/// of a sum's roundings count. Of what moves the errors of its Orbit.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::nbody
