// The pattern neighbor: for every body the bodies within a cutoff, in an open or in a periodic box.
// No vendor baseline: no library of the toolkit makes lists of neighbours.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/neighbor/bodies.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/neighbor/laws.hpp"
#include "kernels/neighbor/plans.hpp"

namespace warpwright::neighbor {
namespace {

const std::vector<std::pair<std::string, placement>>& placements() {
  static const std::vector<std::pair<std::string, placement>> list{
      {"uniform", placement::uniform},     {"fcc", placement::fcc},       {"honeycomb", placement::honeycomb},
      {"clusters", placement::clusters},   {"exact", placement::uniform}, {"touching", placement::touching},
      {"all_equal", placement::all_equal}, {"line", placement::line},     {"faces", placement::faces}};
  return list;
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const auto known = std::ranges::find(placements(), kind, &std::pair<std::string, placement>::first);
  if (known == placements().end()) throw std::logic_error("neighbor has no input of kind " + kind);
  const auto made = [&]<class T>(T) {
    return make_fill("kernels/neighbor/data.cuh",
                     "warpwright::neighbor::positions_of<" + std::string(name_of(problem.type())) + ">",
                     positions_of<T>{.bodies = problem.shape[0],
                                     .side = static_cast<int>(side_of(problem)),
                                     .cutoff = static_cast<int>(cutoff_of(problem)),
                                     .dim = dim_of(problem),
                                     .kind = known->second});
  };
  return {problem.type() == ElementType::f64 ? made(double()) : made(float())};
}

/// An int buffer with one element per body, one per slot of the rows, or a single one.
Buffer observed(const std::string& name, std::int64_t count) {
  return {.name = name, .role = Role::out, .type = ElementType::i32, .count = count};
}

std::string entry(const std::string& function, const std::vector<std::string>& arguments) {
  std::string text = "warpwright::neighbor::" + function + "<";
  for (const std::string& argument : arguments) text += (text.back() == '<' ? "" : ", ") + argument;
  return text + ">";
}

/// Threads of a block of the kernels in reference.cuh and observation.cuh.
constexpr int kPlainBlock = 128;

Observation observation(const Problem& problem, const Device&) {
  const std::int64_t bodies = problem.shape[0];
  const std::int64_t capacity = problem.integer("capacity");
  Plan plan{.buffers = buffers(problem), .steps = {}};
  for (Buffer& buffer : plan.buffers) buffer.role = Role::in;
  plan.buffers.push_back(observed("rows", bodies * capacity));
  plan.buffers.push_back(observed("length", bodies));
  plan.buffers.push_back(observed("excess", 1));
  plan.buffers.push_back(observed("bad", 1));
  plan.steps.push_back({.what = Copy{.from = "overflow", .to = "excess", .bytes = 4}});
  plan.steps.push_back(zeros("bad", 1));
  if (bodies > 0) {
    plan.steps.push_back({.what = Copy{.from = "count", .to = "length", .bytes = 4 * bodies}});
    plan.steps.push_back(
        {.what = launch_over_bodies(
             problem, entry("observe", entry_arguments(problem, true)), kPlainBlock,
             {pointer_to("positions"), pointer_to("count"), pointer_to("list"), pointer_to("rows"), pointer_to("bad"),
              box_argument(problem), value(bodies), value(static_cast<int>(capacity))})});
  }
  return {.source = "kernels/neighbor/observation.cuh", .plan = std::move(plan)};
}

Reference plain_reference(const Problem& problem, const Device&) {
  const std::int64_t bodies = problem.shape[0];
  const std::int64_t capacity = problem.integer("capacity");
  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  plan.buffers.push_back(observed("rows.expected", bodies * capacity));
  plan.buffers.push_back(observed("length.expected", bodies));
  plan.buffers.push_back(observed("excess.expected", 1));
  plan.buffers.push_back(observed("bad.expected", 1));
  plan.steps = {zeros("excess.expected", 1), zeros("bad.expected", 1)};
  if (bodies > 0)
    plan.steps.push_back(
        {.what = launch_over_bodies(problem, entry("reference", entry_arguments(problem, false)), kPlainBlock,
                                    {pointer_to("positions"), pointer_to("rows.expected"),
                                     pointer_to("length.expected"), pointer_to("excess.expected"),
                                     box_argument(problem), value(bodies), value(static_cast<int>(capacity))})});
  return {.source = "kernels/neighbor/reference.cuh", .plan = std::move(plan), .depth = 0};
}

/// Number of neighbours of a body inside a data set: at a lattice site, or in a sphere of uniform density.
double neighbors_inside(const Problem& problem) {
  const double cutoff = problem.number("cutoff");
  const int dim = dim_of(problem);
  if (problem.data == "clusters") return static_cast<double>(problem.shape[0]) / 2;
  if (problem.data == "uniform") {
    const double edge = static_cast<double>(fcc_edge) / steps_per_angstrom;
    return dim == 3 ? 4 / std::pow(edge, 3) * 4 / 3 * std::numbers::pi * std::pow(cutoff, 3)
                    : 2 / std::pow(edge, 2) * std::numbers::pi * std::pow(cutoff, 2);
  }
  // A periodic box of a lattice in which no body meets its own image.
  Problem whole = problem;
  const bool is_sheet = problem.data == "honeycomb";
  const double unit = static_cast<double>(is_sheet ? honeycomb_square : fcc_edge) / steps_per_angstrom;
  const auto units = static_cast<std::int64_t>(2 * cutoff / unit) + 1;
  whole.variant["boundary"] = "periodic";
  whole.shape = {is_sheet ? honeycomb_bodies * power(units, 2) : (dim == 3 ? 4 : 2) * power(units, dim)};
  const Bodies bodies = bodies_of(whole, fills(whole, whole.data)[0].on_host(whole.shape[0] * dim, 1));
  return static_cast<double>(bodies.neighbors_of(0).size());
}

/// The least work of any method: reading positions, writing lists, and, once for each pair of neighbours, one
/// subtraction, product and addition (or comparison) along each axis. Bodies near the faces of an open box have fewer
/// neighbours, which is ignored.
Work work(const Problem& problem) {
  const auto bodies = static_cast<double>(problem.shape[0]);
  const double neighbors = std::min(neighbors_inside(problem), std::max(bodies - 1, 0.0));
  const double stored = std::min(neighbors, problem.number("capacity"));
  const int dim = dim_of(problem);
  return {.bytes_read = bodies * dim * static_cast<double>(size_of(problem.type())),
          .bytes_written = 4 * (bodies * (stored + 1) + 1),
          .operations = bodies * neighbors / 2 * 3 * dim,
          .arithmetic = problem.type(),
          .steps = bodies * bodies};
}

}  // namespace

Pattern neighbor_pattern() {
  // In a small box all bodies are neighbours: extents that are drawn often just fill these capacities, or exceed them
  // by one.
  const std::vector<double> just_filled{256, 1, 2, 31, 32};
  const std::vector<InputKind> data{{"uniform", true}, {"fcc", true}, {"honeycomb", true}, {"clusters", true}};
  return {
      .name = "neighbor",
      .summary =
          "for every body the bodies nearer than a cutoff; rows that overflow are reported, never written beyond",
      .extents = {"bodies"},
      .variants = {{"boundary", {"open", "periodic"}}, {"dim", {"xyz", "xy"}}, {"layout", {"by_body", "by_slot"}}},
      .numbers = {{.name = "capacity", .low = 1, .high = 1024, .preferred = 256, .edges = just_filled},
                  {.name = "cutoff", .low = 1, .high = 20, .step = 0x1p-7, .preferred = 10, .edges = {10, 4, 2.5, 1}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = data,
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 18}},
      .tuning_settings = {{{"data", "fcc"}}},
      .trace_shape = {1024},
      .buffers = buffers,
      .inputs =
          [](const Problem&) {
            return std::vector<InputKind>{
                {"exact", true}, {"touching", true}, {"all_equal", true}, {"line", true}, {"faces", true}};
          },
      .fills = fills,
      .observations = {{.name = "sets", .of = observation}},
      .oracle = oracle,
      .reference = plain_reference,
      .bound = same_values,
      .work = work,
      .amount = elements_as("bodies"),
      .laws = laws(),
  };
}

}  // namespace warpwright::neighbor
