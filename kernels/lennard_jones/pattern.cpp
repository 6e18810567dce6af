// The pattern lennard_jones: argon in a periodic box: forces, energy, velocity scaling, and time steps.
// No vendor baseline: no library of the toolkit moves atoms.
#include "kernels/model/pattern.hpp"

#include <algorithm>

#include "kernels/lennard_jones/data.cuh"
#include "kernels/lennard_jones/laws.hpp"
#include "kernels/lennard_jones/liquid.hpp"
#include "kernels/lennard_jones/plans.hpp"
#include "kernels/lennard_jones/reference_plan.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {
namespace {

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const placement known = kind == "warm" ? placement::warm : kind == "images" ? placement::images : placement::fcc;
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::string type = "<" + std::string(name_of(problem.type())) + ">";
    std::vector<Fill> made;
    if (!scales(problem))
      made.push_back(make_fill("kernels/lennard_jones/data.cuh", "warpwright::lennard_jones::positions_of" + type,
                               positions_of<T>{.atoms = problem.shape[0],
                                               .cells = lattice_cells(problem),
                                               .half_cell = static_cast<T>(kLattice / 2),
                                               .side = static_cast<T>(side_of(problem)),
                                               .kind = known}));
    if (!asks_forces(problem))
      made.push_back(make_fill("kernels/lennard_jones/data.cuh", "warpwright::lennard_jones::velocities_of" + type,
                               velocities_of<T>{.fastest = static_cast<T>(kind == "at_rest" ? 0 : 0.0197)}));
    return made;
  });
}

Work work(const Problem& problem) {
  // Operations per pair: three differences with their periodic images, a distance, its powers, and three sums for
  // forces or one for energies.
  constexpr double kPairOperations = 3 * 5 + 6, kForceOperations = 12 + 6, kEnergyOperations = 8;
  constexpr double kNeighbors = 86;
  const auto atoms = static_cast<double>(problem.shape[0]);
  Work work{.arithmetic = problem.type(), .steps = walking_steps(problem, 1)};
  for (const Buffer& buffer : buffers(problem)) {
    const bool stays = moves(problem) && evaluations(problem) == 0 && buffer.role == Role::inout;
    if (buffer.is_input()) work.bytes_read += static_cast<double>(buffer.bytes());
    if (buffer.is_output() && !stays) work.bytes_written += static_cast<double>(buffer.bytes());
  }
  if (scales(problem)) {
    // A square and a product for each component.
    work.operations = 3 * atoms * 3;
    work.steps = 2 * 3 * atoms;
    return work;
  }
  const double pairs = atoms * std::min(kNeighbors, std::max(atoms - 1, 0.0));
  work.operations = asks_energy(problem) ? pairs / 2 * (kPairOperations + kEnergyOperations) + 7 * atoms
                                         : evaluations(problem) * pairs * (kPairOperations + kForceOperations);
  return work;
}

}  // namespace

Pattern lennard_jones_pattern() {
  return {
      .name = "lennard_jones",
      .summary =
          "argon (epsilon 0.01032 eV, sigma 3.405 A, cutoff 10 A) in a periodic box: op=forces gives the forces on "
          "atoms whose lists of neighbours are given, op=energy their kinetic and potential energy, op=scale "
          "velocities "
          "of another temperature, op=steps moves them by velocity Verlet, `steps` times dt fs, the making of lists "
          "included; rows of lists have room for `capacity` neighbours, and what overflows is reported",
      .extents = {"atoms"},
      .variants = {{"op", {"forces", "steps", "energy", "scale"}}},
      .numbers = {{.name = "capacity", .low = 1, .high = 1024, .preferred = 256, .edges = {256, 1, 2, 4, 31, 32}},
                  {.name = "dt", .low = 0.25, .high = 5, .step = 0.25, .preferred = 5, .edges = {5, 1}},
                  {.name = "steps", .low = 0, .high = 100'000, .preferred = 20, .edges = {1, 2, 20, 21, 60}},
                  {.name = "temperature", .low = 1, .high = 1000, .step = 0.5, .preferred = 60, .edges = {60, 1}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "fcc"}, {.name = "warm"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{256'000}},
      .tuning_settings = {{}, {{"op", "steps"}}, {{"op", "energy"}}, {{"op", "scale"}}},
      .trace_shape = {500},
      .buffers = buffers,
      .inputs =
          [](const Problem& problem) {
            std::vector<InputKind> kinds{{.name = "exact", .exact = true}, {.name = "images"}};
            if (scales(problem)) kinds.push_back({.name = "at_rest", .exact = true});
            return kinds;
          },
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount =
          [](const Problem& problem) {
            const auto atoms = static_cast<double>(problem.elements());
            return moves(problem) ? Amount{atoms * problem.number("steps"), "atom-steps"} : Amount{atoms, "atoms"};
          },
      .laws = laws(),
  };
}

}  // namespace warpwright::lennard_jones
