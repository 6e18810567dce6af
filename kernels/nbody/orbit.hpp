// The oracle: bodies on the CPU in long double, with bounds on a kernel's rounding errors.
#pragma once

#include <array>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::nbody {

using Vector = std::array<long double, 3>;

/// Moving bodies, with bounds on the errors of a kernel that computes the same steps in a type with unit roundoff u. An
/// error is the length of a vector, in units of u. It grows in two ways: by roundings (D times each force's size, where
/// D is the number of massive bodies plus the roundings within a term; once per position and velocity); and by its
/// effect on the forces. The force of a pair changes by at most 2 m / s^3 times the change of the distance, where s is
/// the least softened distance along that change.
struct Orbit {
  std::vector<Vector> place = {}, velocity = {};
  std::vector<long double> mass = {};
  std::vector<long double> place_error = {}, velocity_error = {};
  long double softening_squared = 0;
  long double unit = 0;  ///< u

  /// The problem's bodies before the first step, without errors. `inputs` must be those of a problem of steps.
  Orbit(const Problem& problem, const std::vector<Bytes>& inputs);

  /// Steps of the leapfrog (half a kick, drift, half a kick) of length dt.
  void advance(std::int64_t steps, long double dt);
  /// Kinetic and potential energy together.
  long double energy() const;
  /// The acceleration of a body.
  Vector pull_of(std::size_t body) const;

 private:
  void kick(long double time);
  void drift(long double time);
};

/// The expected accelerations, with the sums of the absolute values of their terms; or bodies and velocities with
/// errors in units of u.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// For accelerations gamma(depth) times the terms' sizes; if at most most_massive bodies have mass (data.cuh), only
/// that many roundings of a sum count. For steps the errors of the Orbit.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::nbody
