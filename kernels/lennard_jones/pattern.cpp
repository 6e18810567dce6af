// The pattern lennard_jones: argon in a periodic box: forces, and the steps that they make.
// No vendor baseline: no library of the toolkit moves atoms.
#include "kernels/model/pattern.hpp"

#include <algorithm>

#include "kernels/lennard_jones/data.cuh"
#include "kernels/lennard_jones/laws.hpp"
#include "kernels/lennard_jones/liquid.hpp"
#include "kernels/lennard_jones/plans.hpp"
#include "kernels/lennard_jones/reference.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {
namespace {

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const placement known = kind == "warm" ? placement::warm : kind == "images" ? placement::images : placement::fcc;
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::string type = "<" + std::string(name_of(problem.type())) + ">";
    std::vector<Fill> made{make_fill("kernels/lennard_jones/data.cuh", "warpwright::lennard_jones::positions_of" + type,
                                     positions_of<T>{.atoms = problem.shape[0],
                                                     .cells = lattice_cells(problem),
                                                     .half_cell = static_cast<T>(kLattice / 2),
                                                     .side = static_cast<T>(side_of(problem)),
                                                     .kind = known})};
    if (moves(problem))
      made.push_back(make_fill("kernels/lennard_jones/data.cuh", "warpwright::lennard_jones::velocities_of" + type,
                               velocities_of<T>{}));
    return made;
  });
}

Step launch_over_atoms(const Problem& problem, const std::string& function, std::vector<Argument> arguments) {
  constexpr std::int64_t kBlock = 128;
  arguments.push_back(value(problem.shape[0]));
  return {.what = Launch{.entry = "warpwright::lennard_jones::" + function,
                         .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], kBlock))},
                         .block = {.x = kBlock},
                         .arguments = std::move(arguments)}};
}

Reference reference(const Problem& problem, const Device&) {
  const std::int64_t atoms = problem.shape[0];
  const std::string type = "<" + std::string(name_of(problem.type())) + ">";
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.pop_back();
  if (!moves(problem)) plan.buffers.pop_back();
  for (Buffer& buffer : plan.buffers) buffer.role = Role::in;
  const auto add = [&](const std::string& name, Role role, std::int64_t numbers) {
    plan.buffers.push_back({.name = name, .role = role, .type = ElementType::f64, .count = numbers * atoms});
  };
  const std::vector<std::string> outputs =
      moves(problem) ? std::vector<std::string>{"positions", "velocity"} : std::vector<std::string>{"force"};
  for (const std::string& output : outputs) {
    add(output + ".expected", Role::out, 3);
    add(output + ".magnitude", Role::out, 3);
  }
  plan.buffers.push_back({.name = "overflow.expected", .role = Role::out, .type = ElementType::i32, .count = 1});
  plan.steps.push_back({.what = Memset{.buffer = "overflow.expected", .count = 1, .value = value(0)}});
  Reference made{.source = "kernels/lennard_jones/reference.cuh", .plan = {}, .depth = 1};
  if (atoms > 0) {
    // Places and speeds, each with its error.
    for (const char* name : {"state", "next", "speed"}) add(name, Role::scratch, 4);
    const ValueArgument field =
        value_of("warpwright::lennard_jones::plain_field", plain_field{.side = side_of(problem),
                                                                       .sigma = kSigma,
                                                                       .epsilon = kEpsilon,
                                                                       .cutoff = kCutoff,
                                                                       .unit = unit_roundoff(problem.type())});
    const auto begin = [&](const char* from, const char* to) {
      plan.steps.push_back(launch_over_atoms(problem, "reference_begin" + type, {pointer_to(from), pointer_to(to)}));
    };
    const auto end = [&](const char* from, const std::string& output) {
      plan.steps.push_back(
          launch_over_atoms(problem, "reference_end",
                            {pointer_to(from), pointer_to(output + ".expected"), pointer_to(output + ".magnitude")}));
    };
    begin("positions", "state");
    if (moves(problem)) {
      begin("velocity", "speed");
      constexpr int kNever = 1 << 30;
      for (Step& step : verlet(
               problem, "state", "next", kNever, [](const std::string&) { return std::vector<Step>(); },
               [&](const std::string&from, const std::string&to, double kick, double drift) {
                 return std::vector<Step>{launch_over_atoms(
                     problem, "reference_step",
                     {pointer_to(from), pointer_to(to), pointer_to("speed"), field, value(kick), value(drift)})};
               }))
        plan.steps.push_back(std::move(step));
      end("state", "positions");
      end("speed", "velocity");
    } else {
      plan.steps.push_back(
          launch_over_atoms(problem, "reference_forces",
                            {pointer_to("state"), pointer_to("force.expected"), pointer_to("force.magnitude"), field}));
    }
  }
  made.plan = std::move(plan);
  return made;
}

Work work(const Problem& problem) {
  // Three differences with their images, a distance, the powers of it and three sums.
  constexpr double kPairOperations = 3 * 5 + 6 + 12 + 6;
  constexpr double kNeighbors = 86;
  const auto size = static_cast<double>(size_of(problem.type()));
  const auto atoms = static_cast<double>(problem.shape[0]);
  const double pairs = atoms * std::min(kNeighbors, std::max(atoms - 1, 0.0));
  const double numbers = moves(problem) ? 6 : 3;
  return {.bytes_read = atoms * numbers * size,
          .bytes_written = evaluations(problem) == 0 ? 4 : atoms * numbers * size + 4,
          .operations = evaluations(problem) * pairs * kPairOperations,
          .arithmetic = problem.type(),
          .steps = walking_steps(problem, 1)};
}

}  // namespace

Pattern lennard_jones_pattern() {
  return {
      .name = "lennard_jones",
      .summary =
          "argon (epsilon 0.01032 eV, sigma 3.405 A, cutoff 10 A) in a periodic box: op=forces gives the forces on "
          "atoms whose lists of neighbours are given, op=steps moves them by velocity Verlet, `steps` times dt fs, the "
          "making of lists included",
      .extents = {"atoms"},
      .variants = {{"op", {"forces", "steps"}}},
      .numbers = {{.name = "dt", .low = 0.25, .high = 5, .step = 0.25, .preferred = 5, .edges = {5, 1}},
                  {.name = "steps", .low = 0, .high = 1000, .preferred = 20, .edges = {1, 2, 20, 21, 60}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "fcc"}, {.name = "warm"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{256'000}},
      .tuning_settings = {{}, {{"op", "steps"}}},
      .trace_shape = {500},
      .buffers = buffers,
      .inputs =
          [](const Problem&) {
            return std::vector<InputKind>{{.name = "exact", .exact = true}, {.name = "images"}};
          },
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .laws = laws(),
  };
}

}  // namespace warpwright::lennard_jones
