// All pairs of atoms in long double, and what roundings make of them.
#include "kernels/lennard_jones/liquid.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/errors.cuh"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

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

/// All x, all y, all z.
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
      unit(unit_roundoff(problem.type())) {}

/// The nearest image; `rounding` is what a kernel's differences and shifts are off by, in units of u.
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
  Pull pull;
  const long double pairs = neighbors_within(atom, kLongCutoff + 1);
  for (std::size_t other = 0; other < place.size(); ++other) {
    if (other == atom) continue;
    long double rounding = 0;
    const Vector apart = between(atom, other, rounding);
    const long double r = length(apart);
    if (r >= kLongCutoff + 1) continue;
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

void Liquid::advance(std::int64_t steps, long double dt) {
  for (std::int64_t look = 0; steps > 0 && look <= steps; ++look) {
    const long double kick = (look == 0 || look == steps ? dt / 2 : dt) / kMass;
    std::vector<Pull> pulls;
    for (std::size_t atom = 0; atom < place.size(); ++atom) pulls.push_back(pull_on(atom));
    for (std::size_t atom = 0; atom < place.size(); ++atom) {
      for (std::size_t axis = 0; axis < 3; ++axis) velocity[atom][axis] += kick * pulls[atom].force[axis];
      velocity_error[atom] = std::min<long double>(kBeyond * (velocity_error[atom] + kick * pulls[atom].error) +
                                                       length(velocity[atom]) + 2 * kick * length(pulls[atom].force),
                                                   kLostError);
      if (look == steps) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) place[atom][axis] += dt * velocity[atom][axis];
      place_error[atom] = std::min<long double>(kBeyond * (place_error[atom] + dt * velocity_error[atom]) +
                                                    length(place[atom]) + 2 * dt * length(velocity[atom]),
                                                kLostError);
    }
  }
}

long double Liquid::potential_energy() const {
  long double energy = 0;
  for (std::size_t atom = 0; atom < place.size(); ++atom)
    for (std::size_t other = 0; other < atom; ++other) {
      long double rounding = 0;
      const long double r = length(between(atom, other, rounding));
      if (r >= kLongCutoff) continue;
      const long double sixth = sixth_power(kLongSigma / r);
      energy += 4 * kLongEpsilon * sixth * (sixth - 1);
    }
  return energy;
}

long double Liquid::kinetic_energy() const {
  long double energy = 0;
  for (const Vector& v : velocity) energy += static_cast<long double>(kMass) / 2 * length(v) * length(v);
  return energy;
}

int Liquid::neighbors_within(std::size_t atom, long double reach) const {
  int found = 0;
  for (std::size_t other = 0; other < place.size(); ++other) {
    long double rounding = 0;
    if (other != atom && length(between(atom, other, rounding)) < reach) ++found;
  }
  return found;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  Liquid liquid(problem, inputs);
  const ExpectedOutput nothing{.buffer = "overflow", .values = bytes_of(std::vector<int>{0})};
  if (moves(problem)) {
    liquid.advance(problem.integer("steps"), time_step(problem));
    return {arrays("positions", liquid.place, liquid.place_error),
            arrays("velocity", liquid.velocity, liquid.velocity_error), nothing};
  }
  std::vector<Vector> forces;
  std::vector<long double> errors;
  for (std::size_t atom = 0; atom < liquid.place.size(); ++atom) {
    const Pull pull = liquid.pull_on(atom);
    forces.push_back(pull.force);
    errors.push_back(pull.error);
  }
  return {arrays("force", forces, errors), nothing};
}

Bound bound(const Problem& problem, const std::string& output, const InputKind&, double) {
  if (output == "overflow") return {.comparison = Comparison::equal, .formula = "the same values"};
  // Components of vectors along an axis may be as small as they like; their products are then flushed.
  constexpr double kMostPairs = 1024;
  return {.comparison = Comparison::bounded,
          .relative = unit_roundoff(problem.type()),
          .absolute = evaluations(problem) * kMostPairs * smallest_normal(problem.type()),
          .formula = moves(problem) ? "u * (roundings of forces, velocities and positions, and what they do until the "
                                      "last step)"
                                    : "u * sum (64 + pairs) |terms| + what roundings of vectors do to them"};
}

}  // namespace warpwright::lennard_jones
