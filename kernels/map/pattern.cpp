// The pattern map: each element independently: a scaled sum of two arrays, a loop of square roots, or divergent
// branches.
#include "kernels/model/pattern.hpp"

#include <cmath>

#include "kernels/map/data.cuh"
#include "kernels/map/laws.hpp"
#include "kernels/map/plans.hpp"
#include "kernels/map/ways.cuh"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::map {
namespace {

/// The loop has as many iterations as the square of this limit, so that simulating a traced problem takes only seconds.
/// Up to 1,024, floats and the reciprocal root would still tell numbers apart.
constexpr double kHighestLimit = 128;

std::int64_t square_of(const Problem& problem) {
  return problem.integer("limit") * problem.integer("limit");
}

template <class T>
ExpectedOutput axpy_of(const Problem& problem, const std::vector<Bytes>& inputs) {
  const std::vector<T> x = elements_of<T>(inputs[0]);
  const std::vector<T> y = elements_of<T>(inputs[1]);
  const double alpha = problem.number("alpha");
  std::vector<double> values(x.size());
  ExpectedOutput expected{.buffer = "z", .values = {}, .magnitude = std::vector<double>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) {
    values[i] = std::fma(alpha, static_cast<double>(x[i]), static_cast<double>(y[i]));
    expected.magnitude[i] = std::fabs(alpha * static_cast<double>(x[i])) + std::fabs(static_cast<double>(y[i]));
  }
  expected.values = bytes_of(values);
  return expected;
}

template <class T>
ExpectedOutput sqrt_loop_of(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto square = static_cast<double>(square_of(problem));
  std::vector<double> values;
  ExpectedOutput expected{.buffer = "z"};
  for (const T start : elements_of<T>(inputs[0])) {
    const auto from = static_cast<double>(start);
    values.push_back(from < 0 || std::isnan(from) ? from : std::fmax(from, square));
    expected.magnitude.push_back(std::fabs(values.back()));
  }
  expected.values = bytes_of(values);
  return expected;
}

template <class T>
ExpectedOutput switch_of(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto ways = static_cast<int>(problem.integer("ways"));
  std::vector<T> values = elements_of<T>(inputs[0]);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = passed_along(values[i], way_of(static_cast<long long>(i), ways));
  return {.buffer = "z", .values = bytes_of(values)};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<int, float, double>(problem.type(), [&]<class T>(T) -> Expectation {
    if (is_axpy(problem)) return {axpy_of<T>(problem, inputs)};
    return {is_sqrt_loop(problem) ? sqrt_loop_of<T>(problem, inputs) : switch_of<T>(problem, inputs)};
  });
}

std::vector<InputKind> inputs(const Problem& problem) {
  if (!is_sqrt_loop(problem)) return generic_inputs(!is_axpy(problem));
  return {{.name = "exact", .exact = true},
          {.name = "uniform", .exact = true},
          {.name = "all_equal", .exact = true},
          {.name = "beside", .exact = true},
          {.name = "special", .exact = true}};
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  if (!is_sqrt_loop(problem)) return generic_fills(buffers(problem), kind);
  const start from = kind == "all_equal" ? start::zero
                     : kind == "beside"  ? start::beside
                     : kind == "special" ? start::special
                                         : start::spread;
  return with_type_of<int, float, double>(problem.type(), [&]<class T>(T) -> std::vector<Fill> {
    return {make_fill("kernels/map/data.cuh", "warpwright::map::starts<" + std::string(name_of(problem.type())) + ">",
                      starts<T>{.kind = from, .square = square_of(problem)})};
  });
}

/// Depth counts roundings for op=axpy, and for op=sqrt_loop the iterations that the loop may end late.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  if (is_sqrt_loop(problem))
    return {
        .comparison = Comparison::bounded, .absolute = depth, .formula = depth > 0 ? "one step of the loop" : "exact"};
  if (!is_axpy(problem)) return {.comparison = Comparison::equal, .formula = "the same values"};
  if (input.exact) return {.comparison = Comparison::bounded, .formula = "exact"};
  const double u = unit_roundoff(problem.type());
  return {.comparison = Comparison::bounded,
          .relative = depth * u,
          .absolute = depth * u * smallest_normal(problem.type()),
          .formula = "depth * u * (|alpha x| + |y| + smallest normal)"};
}

Reference reference(const Problem& problem, const Device& device) {
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.pop_back();
  Launch launch{.entry = {},
                .grid = {.x = static_cast<std::uint32_t>(device.sm_count * 8)},
                .block = {.x = 256},
                .arguments = {}};
  const auto add = [&](const std::string& name, ElementType type) {
    plan.buffers.push_back({.name = name, .role = Role::out, .type = type, .count = problem.elements()});
  };
  std::string function = "switch";
  Argument setting = value(static_cast<int>(problem.integer("ways")));
  if (is_axpy(problem) || is_sqrt_loop(problem)) {
    function = problem.option("op");
    setting = is_axpy(problem) ? alpha_of(problem) : value(static_cast<int>(problem.integer("limit")));
    add("z.expected", ElementType::f64);
    add("z.magnitude", ElementType::f64);
  } else {
    add("z.expected", problem.type());
  }
  for (const Buffer& buffer : plan.buffers) launch.arguments.push_back(pointer_to(buffer.name));
  launch.arguments.push_back(setting);
  launch.arguments.push_back(value(problem.elements()));
  launch.entry = "warpwright::map::reference_" + function + "<" + std::string(name_of(problem.type())) + ">";
  if (problem.elements() > 0) plan.steps.push_back({.what = std::move(launch)});
  return {.source = "kernels/map/reference.cuh", .plan = std::move(plan), .depth = is_axpy(problem) ? 1.0 : 0.0};
}

Work work(const Problem& problem) {
  const auto count = static_cast<double>(problem.elements());
  const double bytes = count * static_cast<double>(size_of(problem.type()));
  const ElementType arithmetic = problem.type();
  if (is_axpy(problem))
    return {.bytes_read = 2 * bytes,
            .bytes_written = bytes,
            .operations = 2 * count,
            .arithmetic = arithmetic,
            .steps = count};
  // Arithmetic is cheap compared with a checked access. Basic blocks, one or more per loop iteration, cost less too.
  constexpr double kTurnsAStep = 4;
  Work made{.bytes_read = bytes,
            .bytes_written = bytes,
            .operations = count * kWayOperations * 2,
            .arithmetic = arithmetic,
            .steps = count * (1 + 2 * kWayOperations / kOperationsAStep)};
  if (is_sqrt_loop(problem)) {
    // One root and one addition per iteration; in data with a spread, every other element iterates, on average to half
    // of the limit.
    const auto square = static_cast<double>(square_of(problem));
    made.operations = 2 * count * (problem.data == "all_equal" ? square : square / 4);
    made.steps = count * (1 + square / kTurnsAStep);
  }
  return made;
}

}  // namespace

Pattern map_pattern() {
  return {
      .name = "map",
      .summary =
          "each element on its own: op=axpy is alpha x + y; sqrt_loop counts x up while its root is below a "
          "limit; switch sends element i way i % ways",
      .extents = {"elements"},
      .variants = {{"op", {"axpy", "sqrt_loop", "switch"}}},
      .numbers = {{.name = "alpha", .low = -8, .high = 8, .step = 0.25, .preferred = 2, .edges = {0, 1, -1, 0.25}},
                  {.name = "limit", .low = 1, .high = kHighestLimit, .preferred = 32, .edges = {1, 2, 3, 100}},
                  {.name = "ways", .low = 1, .high = kMostWays, .preferred = 4, .edges = {1, 2, 3, 31, 32}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::i32}},
      .data = {{.name = "uniform"}, {.name = "all_equal"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .tuning_settings = {{}, {{"op", "sqrt_loop"}}, {{"op", "switch"}}},
      .trace_shape = {1 << 15},
      .buffers = buffers,
      .inputs = inputs,
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount = elements_as("elements"),
      .laws = laws(),
  };
}

}  // namespace warpwright::map
