// Laws of atoms: forces are mutual, images do not matter, time can be turned, and the energy stays.
#include "kernels/lennard_jones/laws.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/liquid.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {
namespace {

std::vector<double> doubles_of(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::vector<T> elements = elements_of<T>(bytes);
    return std::vector<double>(elements.begin(), elements.end());
  });
}

Bytes negated(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> elements = elements_of<T>(bytes);
    for (T& element : elements) element = -element;
    return bytes_of(elements);
  });
}

/// All forces, or all changes of velocities, add up to nothing.
std::string mutual(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::vector<double> after = doubles_of(problem, run(problem, inputs)[moves(problem) ? 1 : 0]);
  const std::vector<double> before =
      moves(problem) ? doubles_of(problem, inputs[1]) : std::vector<double>(after.size());
  const ExpectedOutput expected = oracle(problem, inputs)[moves(problem) ? 1 : 0];
  const Bound most = bound(problem, expected.buffer, {}, 0);
  const std::size_t atoms = after.size() / 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    long double sum = 0;
    long double allowed = 0;
    for (std::size_t at = axis * atoms; at < (axis + 1) * atoms; ++at) {
      sum += static_cast<long double>(after[at]) - static_cast<long double>(before[at]);
      allowed += static_cast<long double>(most.relative * expected.magnitude[at] + most.absolute);
    }
    if (!(std::fabs(sum) <= allowed))
      return fmt::format("all together gain {} along axis {}, where roundings make {} at most",
                         static_cast<double>(sum), axis, static_cast<double>(allowed));
  }
  return {};
}

/// Forces do not change when every third atom moves by the box.
std::string images(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (moves(problem)) return {};
  const Bytes moved = with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> positions = elements_of<T>(inputs[0]);
    for (std::size_t i = 0; i < positions.size(); i += 3) positions[i] -= static_cast<T>(side_of(problem));
    return bytes_of(positions);
  });
  const std::vector<double> is = doubles_of(problem, run(problem, {moved})[0]);
  // What moving rounds is in what the oracle makes of the moved ones.
  const ExpectedOutput expected = oracle(problem, {moved})[0];
  const std::vector<double> wanted = elements_of<double>(expected.values);
  const Bound most = bound(problem, expected.buffer, {}, 0);
  for (std::size_t i = 0; i < is.size(); ++i)
    if (!(std::fabs(is[i] - wanted[i]) <= most.relative * expected.magnitude[i] + most.absolute))
      return "an atom of another image has another force";
  return {};
}

/// With all velocities turned round behind the last step, as many steps lead back.
std::string time_reversal(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  const std::vector<Bytes> there = run(problem, inputs);
  const std::vector<Bytes> back = run(problem, {there[0], negated(problem, there[1])});
  Liquid liquid(problem, inputs);
  for (int way = 0; way < 2; ++way) {
    liquid.advance(problem.integer("steps"), time_step(problem));
    for (Vector& velocity : liquid.velocity)
      for (long double& along : velocity) along = -along;
  }
  const std::vector<double> is = doubles_of(problem, back[0]);
  const std::vector<double> was = doubles_of(problem, inputs[0]);
  const double below = 2 * bound(problem, "positions", {}, 0).absolute;
  for (std::size_t i = 0; i < is.size(); ++i) {
    const auto allowed = static_cast<double>(liquid.unit * liquid.place_error.at(i % liquid.place.size())) + below;
    if (!(std::fabs(is[i] - was[i]) <= allowed)) return "as many steps back do not lead to where atoms were";
  }
  return {};
}

/// The energy of twenty steps of 5 fs stays within 2e-5 eV an atom, 4e-4 of what an atom has in the lattice's midst;
/// that of the potential which is shifted to 0 at the cutoff, so that pairs which cross it change nothing.
std::string energy_drift(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  Problem longer = problem;
  longer.numbers["steps"] = 20;
  longer.numbers["dt"] = 5;
  const std::vector<Bytes> outputs = run(longer, inputs);
  const long double sixth = std::pow(static_cast<long double>(kSigma / kCutoff), 6.0L);
  const long double at_cutoff = 4 * kEpsilon * sixth * (sixth - 1);
  const auto energy = [&](const std::vector<Bytes>& state) {
    const Liquid liquid(longer, state);
    long double pairs = 0;
    for (std::size_t atom = 0; atom < liquid.place.size(); ++atom) pairs += liquid.neighbors_within(atom, kCutoff);
    return liquid.potential_energy() + liquid.kinetic_energy() - pairs / 2 * at_cutoff;
  };
  const long double change = std::fabs(energy(outputs) - energy(inputs));
  const long double most = 2e-5L * static_cast<long double>(problem.shape[0]);
  if (change <= most) return {};
  return fmt::format("20 steps change the energy by {} eV, where {} is usual at most", static_cast<double>(change),
                     static_cast<double>(most));
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "forces are mutual", .broken = mutual, .input = "warm"},
          {.name = "images do not matter", .broken = images, .input = "warm"},
          {.name = "time reversal", .broken = time_reversal, .input = "warm"},
          {.name = "energy drift", .broken = energy_drift, .input = "warm"}};
}

}  // namespace warpwright::lennard_jones
