// Computes all pairs of atoms in long double, with bounds on a kernel's rounding errors.
#include "kernels/lennard_jones/liquid.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/block/real.hpp"
#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/errors.cuh"

namespace warpwright::lennard_jones {
namespace {

constexpr long double kLongSigma = kSigma;
constexpr long double kLongEpsilon = kEpsilon;
constexpr long double kLongCutoff = kCutoff;

/// All x, all y, all z, as vectors.
std::vector<Vector> vectors_of(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::vector<T> elements = elements_of<T>(bytes);
    std::vector<Vector> vectors(elements.size() / 3);
    for (std::size_t i = 0; i < elements.size(); ++i) vectors[i % vectors.size()][i / vectors.size()] = elements[i];
    return vectors;
  });
}

long double sixth_power(long double x) {
  return x * x * x * x * x * x;
}

long double length(const Vector& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// An output buffer: all x, all y, all z.
ExpectedOutput arrays(const std::string& buffer, const std::vector<Vector>& vectors,
                      const std::vector<long double>& errors) {
  std::vector<double> values;
  ExpectedOutput expected{.buffer = buffer};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      values.push_back(static_cast<double>(vectors[i][axis]));
      expected.magnitude.push_back(static_cast<double>(errors[i]));
    }
  expected.values = bytes_of(values);
  return expected;
}

}  // namespace

Liquid::Liquid(const Problem& problem, const std::vector<Bytes>& inputs)
    : place(vectors_of(problem, inputs.at(0))),
      velocity(inputs.size() > 1 ? vectors_of(problem, inputs[1]) : std::vector<Vector>(place.size())),
      place_error(place.size()),
      velocity_error(place.size()),
      side(side_of(problem)),
      unit(unit_roundoff(problem.type())),
      outer(reach_of(problem).outer) {}

/// The vector to the nearest image; `rounding` is the error of a kernel's differences and shifts, in units of u.
Vector Liquid::between(std::size_t from, std::size_t to, long double& rounding) const {
  Vector apart{};
  Vector raw{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    raw[axis] = place[to][axis] - place[from][axis];
    apart[axis] = raw[axis] - side * std::rint(raw[axis] / side);
  }
  rounding = length(raw) + length(apart);
  return apart;
}

Pull Liquid::pull_on(std::size_t atom) const {
  struct Near {
    Vector apart;
    long double r, rounding;
    std::size_t other;
  };
  std::vector<Near> near;
  Pull pull;
  long double pairs = 0;
  for (std::size_t other = 0; other < place.size(); ++other) {
    if (other == atom) continue;
    long double rounding = 0;
    const Vector apart = between(atom, other, rounding);
    const long double r = length(apart);
    if (r < outer) ++pull.around;
    if (r >= kLongCutoff + 1) continue;
    ++pairs;
    near.push_back({apart, r, rounding, other});
  }
  for (const auto& [apart, r, rounding, other] : near) {
    const bool counts = r < kLongCutoff;
    pull.error += pair_error(r, rounding + place_error[atom] + place_error[other], pairs, unit, counts, kLongSigma,
                             kLongEpsilon, kLongCutoff);
    if (!counts) continue;
    const long double sixth = sixth_power(kLongSigma / r);
    for (std::size_t axis = 0; axis < 3; ++axis)
      pull.force[axis] += 24 * kLongEpsilon / (r * r) * sixth * (1 - 2 * sixth) * apart[axis];
  }
  pull.error = std::min<long double>(pull.error, kLostError);
  return pull;
}

std::vector<Pull> Liquid::pulls() {
  std::vector<Pull> all;
  for (std::size_t atom = 0; atom < place.size(); ++atom) {
    all.push_back(pull_on(atom));
    crowd = std::max(crowd, all.back().around);
  }
  return all;
}

void Liquid::advance(std::int64_t steps, long double dt) {
  for (std::int64_t evaluation = 0; steps > 0 && evaluation <= steps; ++evaluation) {
    const long double kick = (evaluation == 0 || evaluation == steps ? dt / 2 : dt) / kMass;
    const std::vector<Pull> pulls = this->pulls();
    for (std::size_t atom = 0; atom < place.size(); ++atom) {
      for (std::size_t axis = 0; axis < 3; ++axis) velocity[atom][axis] += kick * pulls[atom].force[axis];
      velocity_error[atom] = std::min<long double>(kBeyond * (velocity_error[atom] + kick * pulls[atom].error) +
                                                       length(velocity[atom]) + 2 * kick * length(pulls[atom].force),
                                                   kLostError);
      if (evaluation == steps) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) place[atom][axis] += dt * velocity[atom][axis];
      place_error[atom] = std::min<long double>(kBeyond * (place_error[atom] + dt * velocity_error[atom]) +
                                                    length(place[atom]) + 2 * dt * length(velocity[atom]),
                                                kLostError);
    }
  }
}

Energy Liquid::energy() const {
  Energy sum;
  for (std::size_t atom = 0; atom < place.size(); ++atom) {
    const long double speed = length(velocity[atom]);
    sum.kinetic += static_cast<long double>(kMass) / 2 * speed * speed;
    for (std::size_t other = 0; other < atom; ++other) {
      long double rounding = 0;
      const long double r = length(between(atom, other, rounding));
      if (r >= kLongCutoff + 1) continue;
      const bool counts = r < kLongCutoff;
      sum.potential_size += pair_energy_error(r, rounding, unit, counts, kLongSigma, kLongEpsilon, kLongCutoff);
      if (!counts) continue;
      const long double sixth = sixth_power(kLongSigma / r);
      sum.potential += 4 * kLongEpsilon * sixth * (sixth - 1);
      ++sum.pairs;
    }
  }
  sum.kinetic_size = sum.kinetic;
  return sum;
}

long double Liquid::lasting_energy() const {
  const long double sixth = sixth_power(kLongSigma / kLongCutoff);
  const long double at_cutoff = 4 * kLongEpsilon * sixth * (sixth - 1);
  const Energy whole = energy();
  return whole.kinetic + whole.potential - static_cast<long double>(whole.pairs) * at_cutoff;
}

int Liquid::neighbors_within(std::size_t atom, long double reach) const {
  int found = 0;
  for (std::size_t other = 0; other < place.size(); ++other) {
    long double rounding = 0;
    if (other != atom && length(between(atom, other, rounding)) < reach) ++found;
  }
  return found;
}

int Liquid::most_within(long double reach) const {
  int most = 0;
  for (std::size_t atom = 0; atom < place.size(); ++atom) most = std::max(most, neighbors_within(atom, reach));
  return most;
}

namespace {

/// The velocities scaled to the temperature that the problem asks for.
Expectation scaled(const Problem& problem, const Bytes& velocity) {
  std::vector<double> values = doubles_of(problem, velocity);
  long double squares = 0;
  for (const double along : values) squares += static_cast<long double>(along) * static_cast<long double>(along);
  const long double factor =
      squares > 0 ? std::sqrt(static_cast<long double>(wanted_squares(problem)) / squares) : 1.0L;
  ExpectedOutput expected{.buffer = "velocity"};
  for (double& along : values) {
    along = static_cast<double>(factor * static_cast<long double>(along));
    expected.magnitude.push_back(std::fabs(along));
  }
  expected.values = bytes_of(values);
  return {expected};
}

ExpectedOutput energies(const Energy& energy) {
  return {.buffer = "energy",
          .values = bytes_of(std::vector{static_cast<double>(energy.kinetic), static_cast<double>(energy.potential)}),
          .magnitude = {static_cast<double>(energy.kinetic_size), static_cast<double>(energy.potential_size)}};
}

}  // namespace

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  if (scales(problem)) return scaled(problem, inputs.at(0));
  Liquid liquid(problem, inputs);
  const auto capacity = static_cast<int>(problem.integer("capacity"));
  const bool all_fit = problem.shape[0] <= capacity + 1;
  const int inner = all_fit ? 0 : liquid.most_within(reach_of(problem).inner);
  Expectation expected;
  if (moves(problem)) {
    liquid.advance(problem.integer("steps"), time_step(problem));
    expected = {arrays("positions", liquid.place, liquid.place_error),
                arrays("velocity", liquid.velocity, liquid.velocity_error)};
  } else if (asks_energy(problem)) {
    if (!all_fit) liquid.crowd = liquid.most_within(reach_of(problem).outer);
    expected = {energies(liquid.energy())};
  } else {
    std::vector<Vector> forces;
    std::vector<long double> errors;
    for (const Pull& pull : liquid.pulls()) {
      forces.push_back(pull.force);
      errors.push_back(pull.error);
    }
    expected = {arrays("force", forces, errors)};
  }
  const auto [overflow, error] =
      evaluations(problem) == 0 ? overflow_bounds{} : overflow_of(inner, liquid.crowd, capacity, problem.shape[0]);
  if (error > 0)
    for (ExpectedOutput& output : expected) std::ranges::fill(output.magnitude, kLostError);
  expected.push_back({.buffer = "overflow", .values = bytes_of(std::vector<double>{overflow}), .magnitude = {error}});
  return expected;
}

Bound bound(const Problem& problem, const std::string& output, const InputKind&, double depth) {
  if (output == "overflow")
    return {.comparison = Comparison::bounded,
            .relative = 1,
            .formula = "0 where rows of all lists have room, more than the capacity where those of none have"};
  // Components of vectors along an axis may be arbitrarily small; their products are then flushed to zero.
  constexpr double kMostPairs = 1024;
  const double unit = unit_roundoff(problem.type());
  const double least = smallest_normal(problem.type());
  if (scales(problem)) {
    constexpr double kOfFactor = 8;
    return {.comparison = Comparison::bounded,
            .relative = unit * (depth + kOfFactor),
            .absolute = least,
            .formula = "u * (depth + 8) |velocity|: half of the sum's error, a quotient, a root, a product"};
  }
  if (asks_energy(problem))
    return {.comparison = Comparison::bounded,
            .relative = unit * (depth + kPairRoundings),
            .absolute = kMostPairs * static_cast<double>(problem.shape[0]) * least,
            .formula = "u * (depth + 64) * sum |terms|, and what roundings of vectors do to them"};
  return {.comparison = Comparison::bounded,
          .relative = unit,
          .absolute = evaluations(problem) * kMostPairs * least,
          .formula = moves(problem) ? "u * (roundings of forces, velocities and positions, and what they do until the "
                                      "last step)"
                                    : "u * sum (64 + pairs) |terms| + what roundings of vectors do to them"};
}

}  // namespace warpwright::lennard_jones
