// Laws of atoms: forces are mutual, periodic images are equivalent, time is reversible, energy is conserved.
#include "kernels/lennard_jones/laws.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/block/real.hpp"
#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/liquid.hpp"

namespace warpwright::lennard_jones {
namespace {

/// Whether rows of lists were too short; then nothing else is checked.
bool overflowed(const std::vector<Bytes>& outputs) {
  return elements_of<int>(outputs.back()).at(0) != 0;
}

/// All forces, or all changes of velocity, sum to zero.
std::string mutual(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem) && !asks_forces(problem)) return {};
  const std::vector<Bytes> outputs = run(problem, inputs);
  if (overflowed(outputs)) return {};
  const std::vector<double> after = doubles_of(problem, outputs[moves(problem) ? 1 : 0]);
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

/// Moving every third atom by the box does not change forces.
std::string images(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!asks_forces(problem)) return {};
  const Bytes moved = with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> positions = elements_of<T>(inputs[0]);
    for (std::size_t i = 0; i < positions.size(); i += 3) positions[i] -= static_cast<T>(side_of(problem));
    return bytes_of(positions);
  });
  const std::vector<Bytes> outputs = run(problem, {moved});
  if (overflowed(outputs)) return {};
  const std::vector<double> is = doubles_of(problem, outputs[0]);
  // The oracle for the moved atoms includes the rounding of their positions.
  const ExpectedOutput expected = oracle(problem, {moved})[0];
  const std::vector<double> wanted = elements_of<double>(expected.values);
  const Bound most = bound(problem, expected.buffer, {}, 0);
  for (std::size_t i = 0; i < is.size(); ++i)
    if (!(std::fabs(is[i] - wanted[i]) <= most.relative * expected.magnitude[i] + most.absolute))
      return "an atom of another image has another force";
  return {};
}

/// If all velocities are reversed after the last step, the same number of steps leads back.
std::string time_reversal(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  const std::vector<Bytes> there = run(problem, inputs);
  if (overflowed(there)) return {};
  const std::vector<Bytes> back = run(problem, {there[0], negated(problem, there[1])});
  if (overflowed(back)) return {};
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

/// The energy change over a problem's steps, and the largest allowed one, in eV.
struct Drift {
  Problem of;
  long double before = 0, after = 0, usual = 0;

  long double change() const { return std::fabs(after - before); }
  std::string text() const {
    return fmt::format(
        "{} steps of {} fs change the energy of {:.6g} eV by {:.3g} eV, {:.2g} of it (usual at most: {:.2g} eV)",
        of.integer("steps"), of.number("dt"), static_cast<double>(before), static_cast<double>(change()),
        static_cast<double>(change() / std::fabs(before)), static_cast<double>(usual));
  }
};

/// The problem's own steps, or twenty steps of 5 fs if it has fewer than a hundred.
Problem of_drift(const Problem& problem) {
  constexpr int kLong = 100, kUsual = 20;
  Problem longer = problem;
  if (problem.integer("steps") >= kLong) return longer;
  longer.numbers["steps"] = kUsual;
  longer.numbers["dt"] = 5;
  return longer;
}

/// Limits: 2e-5 eV per atom for twenty steps (4e-4 of an atom's energy inside the lattice); 1e-4 of the total for many
/// steps, if atoms fill the box.
Drift drift_of(const Problem& problem, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs) {
  constexpr long double kAtoms = 2000, kOfAtom = 2e-5, kOfAll = 1e-4;
  const auto atoms = static_cast<long double>(problem.shape[0]);
  Drift drift{.of = of_drift(problem)};
  drift.before = Liquid(drift.of, inputs).lasting_energy();
  drift.after = Liquid(drift.of, outputs).lasting_energy();
  drift.usual = atoms > kAtoms ? kOfAll * std::fabs(drift.before) : kOfAtom * atoms;
  return drift;
}

std::string energy_drift(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!moves(problem)) return {};
  const std::vector<Bytes> outputs = run(of_drift(problem), inputs);
  if (overflowed(outputs)) return {};
  const Drift drift = drift_of(problem, inputs, outputs);
  return drift.change() <= drift.usual ? "" : drift.text();
}

std::string energy_drift_in_words(const Problem& problem, const std::vector<Bytes>& inputs,
                                  const std::vector<std::vector<Bytes>>& runs) {
  if (runs.empty()) return {};
  if (overflowed(runs[0])) return "rows of lists overflowed";
  return drift_of(problem, inputs, runs[0]).text();
}

/// Doubling the velocities gives four times the kinetic energy, exactly or within the roundings of sums, and does not
/// change the potential energy.
std::string quadratic(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!asks_energy(problem)) return {};
  const Bytes doubled = with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> velocity = elements_of<T>(inputs[1]);
    for (T& along : velocity) along *= 2;
    return bytes_of(velocity);
  });
  const std::vector<Bytes> once = run(problem, inputs);
  const std::vector<Bytes> twice = run(problem, {inputs[0], doubled});
  if (overflowed(once) || overflowed(twice)) return {};
  const std::vector<double> was = doubles_of(problem, once[0]);
  const std::vector<double> is = doubles_of(problem, twice[0]);
  const ExpectedOutput expected = oracle(problem, inputs)[0];
  // Sums may be evaluated in any order.
  const Bound most = bound(problem, "energy", {}, static_cast<double>(problem.shape[0]) + 500);
  const auto allowed = [&](std::size_t at) { return 2 * (most.relative * expected.magnitude[at] + most.absolute); };
  if (!(std::fabs(is[0] / 4 - was[0]) <= allowed(0))) return "twice the speed is not four times the kinetic energy";
  if (!(std::fabs(is[1] - was[1]) <= allowed(1))) return "the potential energy depends on velocities";
  return {};
}

/// Scaled velocities have the requested temperature and their old directions, and scaling them again does not change
/// them.
std::string temperature(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!scales(problem)) return {};
  const Bytes once = run(problem, inputs)[0];
  const std::vector<double> is = doubles_of(problem, once);
  const std::vector<double> again = doubles_of(problem, run(problem, {once})[0]);
  const std::vector<double> was = doubles_of(problem, inputs[0]);
  const Bound most = bound(problem, "velocity", {}, 3 * static_cast<double>(problem.shape[0]) + 500);
  long double squares = 0;
  for (std::size_t i = 0; i < is.size(); ++i) {
    squares += static_cast<long double>(is[i]) * static_cast<long double>(is[i]);
    if (is[i] * was[i] < 0) return "a velocity has turned round";
    if (!(std::fabs(again[i] - is[i]) <= 2 * most.relative * std::fabs(is[i]) + 2 * most.absolute))
      return "scaling again changes velocities";
  }
  const auto wanted = static_cast<long double>(wanted_squares(problem));
  if (squares > 0 && !(std::fabs(squares - wanted) <= 4 * static_cast<long double>(most.relative) * wanted))
    return fmt::format("the temperature is {} K, and {} K was asked for",
                       static_cast<double>(squares / wanted) * problem.number("temperature"),
                       problem.number("temperature"));
  return {};
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "forces are mutual", .broken = mutual, .input = "warm"},
          {.name = "images do not matter", .broken = images, .input = "warm"},
          {.name = "time reversal", .broken = time_reversal, .input = "warm"},
          {.name = "energy drift", .broken = energy_drift, .input = "fcc", .in_words = energy_drift_in_words},
          {.name = "kinetic energy is quadratic", .broken = quadratic, .input = "warm"},
          {.name = "temperature", .broken = temperature, .input = "warm"}};
}

}  // namespace warpwright::lennard_jones
