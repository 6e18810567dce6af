// Computes all pairs of bodies in long double, with bounds on a kernel's rounding errors.
#include "kernels/nbody/orbit.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/model/elements.hpp"
#include "kernels/nbody/data.cuh"
#include "kernels/nbody/problems.hpp"
#include "kernels/nbody/reference.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::nbody {
namespace {

std::vector<long double> numbers_of(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::vector<T> elements = elements_of<T>(bytes);
    return std::vector<long double>(elements.begin(), elements.end());
  });
}

Vector between(const Vector& from, const Vector& to) {
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

long double squared(const Vector& v) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/// 1 / (square + softening^2)^(3/2)
long double inverse_cube(long double square, long double softening_squared) {
  const long double softened = square + softening_squared;
  return 1 / (softened * std::sqrt(softened));
}

ExpectedOutput accelerations(const Problem& problem, const std::vector<Bytes>& inputs) {
  const std::vector<long double> bodies = numbers_of(problem, inputs.at(0));
  const auto softening = static_cast<long double>(softening_squared(problem));
  std::vector<double> values;
  ExpectedOutput expected{.buffer = "acceleration"};
  for (std::size_t own = 0; own < bodies.size(); own += 4) {
    Vector sum{};
    Vector size{};
    for (std::size_t other = 0; other < bodies.size(); other += 4) {
      const Vector apart = between({bodies[own], bodies[own + 1], bodies[own + 2]},
                                   {bodies[other], bodies[other + 1], bodies[other + 2]});
      const long double scale = bodies[other + 3] * inverse_cube(squared(apart), softening);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] += scale * apart[axis];
        size[axis] += std::fabs(scale * apart[axis]);
      }
    }
    values.insert(values.end(), sum.begin(), sum.end());
    expected.magnitude.insert(expected.magnitude.end(), size.begin(), size.end());
  }
  expected.values = bytes_of(values);
  return expected;
}

}  // namespace

Orbit::Orbit(const Problem& problem, const std::vector<Bytes>& inputs)
    : softening_squared(nbody::softening_squared(problem)), unit(unit_roundoff(problem.type())) {
  const std::vector<long double> bodies = numbers_of(problem, inputs.at(0));
  const std::vector<long double> speeds = numbers_of(problem, inputs.at(1));
  for (std::size_t i = 0; i < bodies.size() / 4; ++i) {
    place.push_back({bodies[4 * i], bodies[4 * i + 1], bodies[4 * i + 2]});
    mass.push_back(bodies[4 * i + 3]);
    velocity.push_back({speeds[3 * i], speeds[3 * i + 1], speeds[3 * i + 2]});
  }
  place_error.resize(place.size());
  velocity_error.resize(place.size());
}

Vector Orbit::pull_of(std::size_t body) const {
  Vector pull{};
  for (std::size_t other = 0; other < place.size(); ++other) {
    const Vector apart = between(place[body], place[other]);
    const long double scale = mass[other] * inverse_cube(squared(apart), softening_squared);
    for (std::size_t axis = 0; axis < 3; ++axis) pull[axis] += scale * apart[axis];
  }
  return pull;
}

void Orbit::kick(long double time) {
  const auto massive = static_cast<double>(mass.size()) - static_cast<double>(std::ranges::count(mass, 0.0L));
  const long double roundings = roundings_of_pulls(massive + kTermRoundings, static_cast<double>(unit));
  for (std::size_t body = 0; body < place.size(); ++body) {
    Vector pull{};
    long double error = 0;
    for (std::size_t other = 0; other < place.size(); ++other) {
      const Vector apart = between(place[body], place[other]);
      const long double square = squared(apart);
      const long double scale = mass[other] * inverse_cube(square, softening_squared);
      for (std::size_t axis = 0; axis < 3; ++axis) pull[axis] += scale * apart[axis];
      const long double off = place_error[body] + place_error[other];
      const long double nearest = std::max(std::sqrt(square) - off * unit, 0.0L);
      error += roundings * scale * std::sqrt(square) +
               kBeyond * 2 * mass[other] * inverse_cube(nearest * nearest, softening_squared) * off;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) velocity[body][axis] += time * pull[axis];
    velocity_error[body] = std::min<long double>(
        kBeyond * (velocity_error[body] + time * error) + std::sqrt(squared(velocity[body])), kLostError);
  }
}

void Orbit::drift(long double time) {
  for (std::size_t body = 0; body < place.size(); ++body) {
    for (std::size_t axis = 0; axis < 3; ++axis) place[body][axis] += time * velocity[body][axis];
    place_error[body] = std::min<long double>(
        kBeyond * (place_error[body] + time * velocity_error[body]) + std::sqrt(squared(place[body])), kLostError);
  }
}

void Orbit::advance(std::int64_t steps, long double dt) {
  for (std::int64_t step = 0; step < steps; ++step) {
    kick(step == 0 ? dt / 2 : dt);
    drift(dt);
  }
  if (steps > 0) kick(dt / 2);
}

long double Orbit::energy() const {
  long double energy = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    energy += mass[i] * squared(velocity[i]) / 2;
    for (std::size_t j = 0; j < i; ++j)
      energy -= mass[i] * mass[j] / std::sqrt(squared(between(place[i], place[j])) + softening_squared);
  }
  return energy;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  if (!moves(problem)) return {accelerations(problem, inputs)};
  Orbit orbit(problem, inputs);
  orbit.advance(problem.integer("steps"), problem.number("dt"));
  std::vector<double> bodies;
  std::vector<double> velocities;
  ExpectedOutput places{.buffer = "bodies"};
  ExpectedOutput speeds{.buffer = "velocity"};
  for (std::size_t i = 0; i < orbit.place.size(); ++i) {
    bodies.insert(bodies.end(), orbit.place[i].begin(), orbit.place[i].end());
    bodies.push_back(static_cast<double>(orbit.mass[i]));
    velocities.insert(velocities.end(), orbit.velocity[i].begin(), orbit.velocity[i].end());
    places.magnitude.insert(places.magnitude.end(), 3, static_cast<double>(orbit.place_error[i]));
    places.magnitude.push_back(0);
    speeds.magnitude.insert(speeds.magnitude.end(), 3, static_cast<double>(orbit.velocity_error[i]));
  }
  places.values = bytes_of(bodies);
  speeds.values = bytes_of(velocities);
  return {std::move(places), std::move(speeds)};
}

/// Source of gamma: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1. Flushed or not, a
/// rounding below the smallest normal number has an error less than that number, times a distance of at most 32.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  constexpr double kFarthest = 32;
  const double u = unit_roundoff(problem.type());
  const double below =
      kFarthest * (static_cast<double>(problem.shape[0]) + kTermRoundings) * smallest_normal(problem.type());
  if (moves(problem))
    return {.comparison = Comparison::bounded,
            .relative = u,
            .absolute = evaluations(problem) * below,
            .formula = "u * (roundings of pulls, velocities and positions, and what they do until the last step)"};
  const double counted = input.exact ? std::min(depth, chain_depth(most_massive)) : depth;
  return {.comparison = Comparison::bounded,
          .relative = static_cast<double>(roundings_of_pulls(counted, u)) * u,
          .absolute = below,
          .formula = "gamma(depth) * sum |m d / (d^2 + softening^2)^1.5| + (n + 26) * 32 * smallest normal"};
}

}  // namespace warpwright::nbody
