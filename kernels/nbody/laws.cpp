// Laws of gravitating bodies: momentum and energy are conserved, a single body moves straight, time is reversible.
#include "kernels/nbody/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/block/real.hpp"
#include "kernels/nbody/orbit.hpp"
#include "kernels/nbody/problems.hpp"

namespace warpwright::nbody {
namespace {

/// The largest error allowed for element `at` of the last output, for any kernel.
double allowed(const Problem& problem, const ExpectedOutput& of, std::size_t at, bool is_exact) {
  const Bound most =
      bound(problem, of.buffer, {.name = "", .exact = is_exact}, chain_depth(static_cast<double>(problem.shape[0])));
  return most.relative * of.magnitude.at(at) + most.absolute;
}

/// The sum of all accelerations, or of all changes of velocity, times the masses is zero.
std::string momentum(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::vector<double> bodies = doubles_of(problem, inputs[0]);
  const std::vector<double> after = doubles_of(problem, run(problem, inputs).back());
  const std::vector<double> before =
      moves(problem) ? doubles_of(problem, inputs[1]) : std::vector<double>(after.size());
  const ExpectedOutput expected = oracle(problem, inputs).back();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    long double sum = 0;
    long double most = 0;
    for (std::size_t at = axis; at < after.size(); at += 3) {
      const auto mass = static_cast<long double>(bodies[at / 3 * 4 + 3]);
      sum += mass * (static_cast<long double>(after[at]) - static_cast<long double>(before[at]));
      most += mass * static_cast<long double>(allowed(problem, expected, at, true));
    }
    if (!(std::fabs(sum) <= most))
      return fmt::format("the bodies together gain a momentum of {} along axis {}, where roundings make {} at most",
                         static_cast<double>(sum), axis, static_cast<double>(most));
  }
  return {};
}

/// The first body alone keeps its velocity.
std::string one_body(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (problem.shape[0] == 0) return {};
  Problem alone = problem;
  alone.shape = {1};
  std::vector<Bytes> first = inputs;
  for (std::size_t i = 0; i < first.size(); ++i) first[i].resize((i == 0 ? 4 : 3) * size_of(problem.type()));
  const std::vector<Bytes> outputs = run(alone, first);
  const std::vector<double> last = doubles_of(problem, outputs.back());
  if (!moves(problem))
    return std::ranges::all_of(last, [](double pull) { return pull == 0; }) ? "" : "a body alone is pulled";
  const std::vector<double> velocity = doubles_of(problem, first[1]);
  if (last != velocity) return "the velocity of a body alone changes";
  const std::vector<double> before = doubles_of(problem, first[0]);
  const std::vector<double> after = doubles_of(problem, outputs[0]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double way = problem.number("steps") * problem.number("dt") * velocity[axis];
    const double farthest = std::fabs(before[axis]) + std::fabs(way);
    const double most = 2 * (problem.number("steps") + 1) * unit_roundoff(problem.type()) * farthest;
    if (!(std::fabs(after[axis] - before[axis] - way) <= most)) return "a body alone does not go straight on";
  }
  return {};
}

/// If all velocities are reversed after the last step, the same number of steps leads back.
std::string time_reversal(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  const std::vector<Bytes> there = run(problem, inputs);
  const std::vector<Bytes> back = run(problem, {there[0], negated(problem, there[1])});
  Orbit orbit(problem, inputs);
  orbit.advance(problem.integer("steps"), problem.number("dt"));
  for (Vector& velocity : orbit.velocity)
    for (long double& along : velocity) along = -along;
  orbit.advance(problem.integer("steps"), problem.number("dt"));
  const double below = 2 * bound(problem, "bodies", {}, 0).absolute;
  const auto differ = [&](const Bytes& got, const Bytes& wanted, std::size_t numbers,
                          const std::vector<long double>& errors) {
    const std::vector<double> is = doubles_of(problem, got);
    const std::vector<double> was = doubles_of(problem, wanted);
    for (std::size_t i = 0; i < is.size(); ++i)
      if (!(std::fabs(is[i] - was[i]) <= static_cast<double>(orbit.unit * errors.at(i / numbers)) + below)) return true;
    return false;
  };
  if (differ(back[0], inputs[0], 4, orbit.place_error)) return "as many steps back do not lead to where bodies were";
  return differ(negated(problem, back[1]), inputs[1], 3, orbit.velocity_error)
             ? "as many steps back do not lead to the velocities that bodies had"
             : "";
}

/// The energy after more steps changes only as the leapfrog's does. The leapfrog exactly conserves an energy that
/// differs from the true one by dt^2 (sum m v H v / 12 - sum m a^2 / 24) and terms of higher order; H is at most 2 M /
/// softening^3. Source: H. Yoshida, Physics Letters A 150 (1990).
std::string energy_drift(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  constexpr long double kHigherOrders = 2;
  Problem longer = problem;
  longer.numbers["steps"] = 16;
  longer.numbers["dt"] = 0x1p-5;
  longer.numbers["softening"] = 1;
  const Orbit before(longer, inputs);
  const Orbit after(longer, run(longer, inputs));
  Orbit exact = before;
  exact.advance(16, 0x1p-5L);
  const auto off_by = [&](const Orbit& orbit) {
    long double all = 0;
    for (const long double mass : orbit.mass) all += mass;
    long double off = 0;
    for (std::size_t i = 0; i < orbit.mass.size(); ++i) {
      const auto square = [](const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
      const Vector pull = orbit.pull_of(i);
      off += orbit.mass[i] * 0x1p-10L * (2 * all * square(orbit.velocity[i]) / 12 + square(pull) / 24);
      off += orbit.mass[i] * orbit.unit *
             (std::sqrt(square(orbit.velocity[i])) * exact.velocity_error[i] +
              std::sqrt(square(pull)) * exact.place_error[i]);
    }
    return off;
  };
  const long double most = kHigherOrders * (off_by(before) + off_by(after));
  const long double change = std::fabs(after.energy() - before.energy());
  if (change <= most) return {};
  return fmt::format("16 steps change the energy by {}, where {} is what the leapfrog's may change by",
                     static_cast<double>(change), static_cast<double>(most));
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "momentum is kept", .broken = momentum},
          {.name = "one body alone is not pulled", .broken = one_body, .input = "uniform"},
          {.name = "time reversal", .broken = time_reversal, .input = "uniform"},
          {.name = "energy drift", .broken = energy_drift, .input = "uniform"}};
}

}  // namespace warpwright::nbody
