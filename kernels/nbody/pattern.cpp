// The pattern nbody: softened gravitational forces between all bodies, and the steps they cause.
// No vendor baseline: no library of the toolkit sums over all pairs of bodies.
#include "kernels/model/pattern.hpp"

#include <algorithm>

#include "kernels/nbody/data.cuh"
#include "kernels/nbody/laws.hpp"
#include "kernels/nbody/orbit.hpp"
#include "kernels/nbody/plans.hpp"
#include "kernels/nbody/reference.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::nbody {
namespace {

const std::vector<std::pair<std::string, placement>>& placements() {
  static const std::vector<std::pair<std::string, placement>> list{
      {"uniform", placement::uniform}, {"clusters", placement::clusters},
      {"exact", placement::exact},     {"coincident", placement::coincident},
      {"apart", placement::apart},     {"line", placement::line},
      {"heavy", placement::heavy}};
  return list;
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const auto known = std::ranges::find(placements(), kind, &std::pair<std::string, placement>::first);
  if (known == placements().end()) throw std::logic_error("nbody has no input of kind " + kind);
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::string type = "<" + std::string(name_of(problem.type())) + ">";
    std::vector<Fill> made{make_fill("kernels/nbody/data.cuh", "warpwright::nbody::bodies_of" + type,
                                     bodies_of<T>{.kind = known->second})};
    if (moves(problem))
      made.push_back(make_fill("kernels/nbody/data.cuh", "warpwright::nbody::velocities_of" + type,
                               velocities_of<T>{.kind = known->second}));
    return made;
  });
}

Step launch_over_bodies(const Problem& problem, const std::string& function, std::vector<Argument> arguments) {
  constexpr std::int64_t kBlock = 128;
  arguments.push_back(value(problem.shape[0]));
  return {.what = Launch{.entry = "warpwright::nbody::" + function,
                         .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], kBlock))},
                         .block = {.x = kBlock},
                         .arguments = std::move(arguments)}};
}

Reference reference_of_steps(const Problem& problem) {
  const std::int64_t bodies = problem.shape[0];
  Plan plan{.buffers = buffers(problem), .steps = {}};
  for (Buffer& buffer : plan.buffers) buffer.role = Role::in;
  const auto add = [&](const std::string& name, Role role, std::int64_t numbers) {
    plan.buffers.push_back({.name = name, .role = role, .type = ElementType::f64, .count = numbers * bodies});
  };
  for (const char* name : {"bodies.expected", "bodies.magnitude"}) add(name, Role::out, 4);
  for (const char* name : {"velocity.expected", "velocity.magnitude"}) add(name, Role::out, 3);
  for (const char* name : {"state", "next"}) add(name, Role::scratch, state_numbers);
  add("speed", Role::scratch, 3);
  add("speed_error", Role::scratch, 1);
  plan.buffers.push_back({.name = "massive", .role = Role::scratch, .type = ElementType::u64, .count = 1});
  if (bodies == 0) return {.source = "kernels/nbody/reference.cuh", .plan = std::move(plan), .depth = 1};
  plan.steps.push_back({.what = Memset{.buffer = "massive", .count = 1, .value = value(std::uint64_t{0})}});
  plan.steps.push_back(launch_over_bodies(problem, "reference_begin<" + std::string(name_of(problem.type())) + ">",
                                          {pointer_to("bodies"), pointer_to("velocity"), pointer_to("state"),
                                           pointer_to("speed"), pointer_to("speed_error"), pointer_to("massive")}));
  for (Step& step :
       leapfrog(problem, "state", "next", [&](const std::string&from, const std::string&to, double kick, double drift) {
         return std::vector<Step>{
             launch_over_bodies(problem, "reference_step",
                                {pointer_to(from), pointer_to(to), pointer_to("speed"), pointer_to("speed_error"),
                                 pointer_to("massive"), value(softening_squared(problem)), value(kTermRoundings),
                                 value(unit_roundoff(problem.type())), value(kick), value(drift)})};
       }))
    plan.steps.push_back(std::move(step));
  plan.steps.push_back(launch_over_bodies(
      problem, "reference_end",
      {pointer_to("state"), pointer_to("speed"), pointer_to("speed_error"), pointer_to("bodies.expected"),
       pointer_to("bodies.magnitude"), pointer_to("velocity.expected"), pointer_to("velocity.magnitude")}));
  return {.source = "kernels/nbody/reference.cuh", .plan = std::move(plan), .depth = 1};
}

Reference reference(const Problem& problem, const Device&) {
  if (moves(problem)) return reference_of_steps(problem);
  const std::int64_t bodies = problem.shape[0];
  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  for (const char* name : {"acceleration.expected", "acceleration.magnitude"})
    plan.buffers.push_back({.name = name, .role = Role::out, .type = ElementType::f64, .count = 3 * bodies});
  if (bodies > 0)
    plan.steps.push_back(launch_over_bodies(problem, "reference_forces<" + std::string(name_of(problem.type())) + ">",
                                            {pointer_to("bodies"), pointer_to("acceleration.expected"),
                                             pointer_to("acceleration.magnitude"), value(softening_squared(problem))}));
  return {.source = "kernels/nbody/reference.cuh",
          .plan = std::move(plan),
          .depth = chain_depth(static_cast<double>(bodies))};
}

/// An interaction has 19 operations: three differences, six sums and as many products of fused pairs, three products
/// and a root. Published rates of interactions per second are operations / 19.
constexpr double kInteractionOperations = 19;

Work work(const Problem& problem) {
  const auto size = static_cast<double>(size_of(problem.type()));
  const auto bodies = static_cast<double>(problem.shape[0]);
  const double interactions = evaluations(problem) * bodies * bodies;
  return {.bytes_read = bodies * (moves(problem) ? 7 : 4) * size,
          .bytes_written = evaluations(problem) == 0 ? 0 : bodies * (moves(problem) ? 6 : 3) * size,
          .operations = kInteractionOperations * interactions,
          .arithmetic = problem.type(),
          .steps = bodies + interactions};
}

}  // namespace

Pattern nbody_pattern() {
  return {
      .name = "nbody",
      .summary =
          "all pairs of bodies under softened gravity (constant 1): op=forces gives what pulls each, op=steps moves "
          "them by the leapfrog, `steps` times dt; 19 operations an interaction",
      .extents = {"bodies"},
      .variants = {{"op", {"forces", "steps"}}},
      .numbers = {{.name = "dt",
                   .low = 0x1p-12,
                   .high = 0x1p-5,
                   .step = 0x1p-12,
                   .preferred = 0x1p-7,
                   .edges = {0x1p-7, 0x1p-10}},
                  {.name = "softening",
                   .low = 0x1p-6,
                   .high = 2,
                   .step = 0x1p-6,
                   .preferred = 0x1p-4,
                   .edges = {0x1p-4, 1, 0x1p-6}},
                  {.name = "steps", .low = 0, .high = 1000, .preferred = 4, .edges = {1, 2, 3}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "uniform"}, {.name = "clusters"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{1 << 16}},
      .tuning_settings = {{}, {{"op", "steps"}}},
      .trace_shape = {1024},
      .buffers = buffers,
      .inputs =
          [](const Problem&) {
            return std::vector<InputKind>{{.name = "exact", .exact = true},
                                          {.name = "coincident", .exact = true},
                                          {.name = "apart", .same_sign = true},
                                          {.name = "line"},
                                          {.name = "heavy"}};
          },
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount =
          [](const Problem& problem) {
            const auto bodies = static_cast<double>(problem.elements());
            return Amount{evaluations(problem) * bodies * bodies, "interactions"};
          },
      .laws = laws(),
  };
}

}  // namespace warpwright::nbody
