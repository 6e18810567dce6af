// The pattern richardson: sweeps of x' = x + alpha (A x - f), a fixed number or until the residual is small.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/richardson/data.cuh"
#include "kernels/richardson/laws.hpp"
#include "kernels/richardson/linear_system.hpp"
#include "kernels/richardson/plans.hpp"
#include "kernels/richardson/reference.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::richardson {
namespace {

/// A single sweep keeps any values within bounds; more sweeps need a matrix that is a contraction.
bool takes_any_content(const Problem& problem) {
  return problem.integer("sweeps") <= 1 && !stops_early(problem);
}

content content_of(const Problem& problem, const std::string& kind) {
  if (kind == "contracting") return content::contracting;
  if (kind == "ring") return content::ring;
  return takes_any_content(problem) ? content::any : content::settling;
}

/// The diagonal -1 / alpha: with it a settling system forgets its start, and the other kinds contract.
double diagonal_of(const Problem& problem, content kind) {
  const double alpha = problem.number("alpha") == 0 ? 1 : problem.number("alpha");
  int exponent = 0;
  const bool is_exact = std::fabs(std::frexp(alpha, &exponent)) == 0.5;
  return kind == content::settling && !is_exact ? 0 : -1 / alpha;
}

/// The size of the entries beside the diagonal; together they are at most a quarter of the diagonal.
double beside_of(const Problem& problem, content kind) {
  const double quarter = std::fabs(diagonal_of(problem, kind)) / 4;
  if (kind == content::ring) return quarter / 2;
  return quarter / std::max(1.0, static_cast<double>(longest_row(problem)));
}

template <class T>
Fill entries_fill(const Problem& problem, const sparse_rows& of, T) {
  const std::string source = "kernels/richardson/data.cuh";
  const std::string type = "<" + std::string(name_of(problem.type())) + ">";
  const T diagonal = static_cast<T>(diagonal_of(problem, of.kind));
  const T beside = static_cast<T>(beside_of(problem, of.kind));
  if (is_sparse(problem))
    return make_fill(source, "warpwright::richardson::sparse_entries" + type,
                     sparse_entries<T>{.of = of, .diagonal = diagonal, .beside = beside});
  return make_fill(source, "warpwright::richardson::dense_entries" + type,
                   dense_entries<T>{.rows = of.rows, .kind = of.kind, .diagonal = diagonal, .beside = beside});
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const sparse_rows of{.rows = problem.shape[0],
                       .per_row = static_cast<int>(problem.integer("per_row")),
                       .least = takes_any_content(problem) ? 0 : 1,
                       .kind = content_of(problem, kind)};
  std::vector<Fill> made;
  if (is_sparse(problem)) {
    made.push_back(make_fill("kernels/richardson/data.cuh", "warpwright::richardson::row_starts", row_starts{of}));
    made.push_back(
        make_fill("kernels/richardson/data.cuh", "warpwright::richardson::entry_columns", entry_columns{of}));
  }
  const bool is_own = of.kind == content::contracting || of.kind == content::ring;
  const Fill vectors = generic_fill(problem.type(), is_own ? "uniform" : kind);
  made.push_back(of.kind == content::any ? vectors : with_type_of<float, double>(problem.type(), [&]<class T>(T one) {
    return entries_fill(problem, of, one);
  }));
  made.push_back(vectors);
  made.push_back(vectors);
  return made;
}

/// The magnitude of an element is the sum of what its roundings may be relative to: the terms of each sweep, and
/// through I + alpha A what those of the sweeps before it leave. It does not decrease, so that it holds for fewer
/// sweeps too. If sweeps may end early, it is that of one more sweep.
template <class T>
Expectation iterated(const Problem& problem, const LinearSystem<T>& system) {
  const auto alpha = static_cast<long double>(problem.number("alpha"));
  const std::int64_t sweeps = problem.integer("sweeps");
  const std::int64_t more = stops_early(problem) ? 1 : 0;
  std::vector<long double> x(system.start.begin(), system.start.end());
  std::vector<long double> magnitude(x.size());
  std::ranges::transform(x, magnitude.begin(), [](long double one) { return std::fabs(one); });
  double taken = 0;
  bool has_stopped = false;
  for (std::int64_t sweep = 0; sweep < sweeps + more; ++sweep) {
    std::vector<long double> next = x;
    std::vector<long double> next_magnitude = magnitude;
    bool is_small = true;
    for (std::size_t row = 0; row < x.size(); ++row) {
      long double residual = 0;
      long double diagonal = 0;
      long double terms = std::fabs(static_cast<long double>(system.f[row]));
      system.for_entries(static_cast<std::int64_t>(row), [&](std::size_t column, T value) {
        residual += static_cast<long double>(value) * x[column];
        terms += std::fabs(static_cast<long double>(value) * x[column]);
        if (column == row)
          diagonal += static_cast<long double>(value);
        else
          terms += std::fabs(static_cast<long double>(value)) * magnitude[column];
      });
      residual -= static_cast<long double>(system.f[row]);
      next[row] += alpha * residual;
      next_magnitude[row] = std::max(magnitude[row], std::fabs(1 + alpha * diagonal) * magnitude[row] +
                                                         std::fabs(x[row]) + std::fabs(alpha) * terms);
      is_small = is_small && std::fabs(residual) <= static_cast<long double>(problem.number("tolerance"));
    }
    magnitude = next_magnitude;
    if (has_stopped || sweep == sweeps) continue;
    x = next;
    ++taken;
    has_stopped = stops_early(problem) && is_small;
  }
  Expectation made{{.buffer = "x",
                    .values = bytes_of(std::vector<double>(x.begin(), x.end())),
                    .magnitude = std::vector<double>(magnitude.begin(), magnitude.end())}};
  if (stops_early(problem))
    made.push_back(
        {.buffer = "taken", .values = bytes_of(std::vector<double>{system.rows == 0 ? 0 : taken}), .magnitude = {0}});
  return made;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<float, double>(problem.type(),
                                     [&]<class T>(T) { return iterated(problem, LinearSystem<T>(problem, inputs)); });
}

Reference reference(const Problem& problem, const Device& device) {
  constexpr int kBlocksPerSm = 8;
  const std::int64_t rows = problem.shape[0];
  const std::int64_t sweeps = problem.integer("sweeps");
  const std::int64_t more = stops_early(problem) ? 1 : 0;
  const std::string type = "<" + std::string(name_of(problem.type())) + ">";
  Plan plan;
  for (const Buffer& buffer : buffers(problem))
    if (buffer.role == Role::in) plan.buffers.push_back(buffer);
  const auto wide = [&](const std::string& name, Role role, std::int64_t count) {
    plan.buffers.push_back({.name = name, .role = role, .type = ElementType::f64, .count = count});
  };
  for (const char* name : {"x.expected", "x.magnitude"}) wide(name, Role::out, rows);
  for (const char* name : {"taken.expected", "taken.magnitude"}) {
    wide(name, stops_early(problem) ? Role::out : Role::scratch, 1);
    plan.steps.push_back({.what = Memset{.buffer = name, .count = 1, .value = value(0.0)}});
  }
  for (const char* name : {"other", "other.magnitude"}) wide(name, Role::scratch, rows);
  plan.buffers.push_back({.name = "largest", .role = Role::scratch, .type = ElementType::u64, .count = sweeps + 1});
  plan.steps.push_back({.what = Memset{.buffer = "largest", .count = sweeps + 1, .value = value(std::uint64_t{0})}});
  const reference_rule rule{.alpha = problem.number("alpha"),
                            .tolerance = stops_early(problem) ? problem.number("tolerance") : -1,
                            .rows = rows,
                            .sweeps = static_cast<int>(sweeps)};
  const auto launch = [&](const std::string& function, std::vector<Argument> arguments) {
    return Step{.what = Launch{.entry = "warpwright::richardson::" + function + type,
                               .grid = {.x = static_cast<std::uint32_t>(device.sm_count * kBlocksPerSm)},
                               .block = {.x = 256},
                               .arguments = std::move(arguments)}};
  };
  const bool is_even = (sweeps + more) % 2 == 0;
  const std::string first = is_even ? "x.expected" : "other";
  const std::string second = is_even ? "other" : "x.expected";
  const std::string first_magnitude = is_even ? "x.magnitude" : "other.magnitude";
  const std::string second_magnitude = is_even ? "other.magnitude" : "x.magnitude";
  if (rows > 0) {
    plan.steps.push_back(
        launch("widen", {pointer_to("start"), pointer_to(first), pointer_to(first_magnitude), value(rows)}));
    std::vector<Argument> arguments;
    if (is_sparse(problem)) arguments = {pointer_to("starts"), pointer_to("columns")};
    for (const std::string& name : {std::string("a"), std::string("f"), first, first_magnitude, second,
                                    second_magnitude, std::string("taken.expected"), std::string("largest")})
      arguments.push_back(pointer_to(name));
    arguments.push_back(value_of("warpwright::richardson::reference_rule", rule));
    arguments.emplace_back(IndexArgument{});
    if (sweeps + more > 0)
      plan.steps.push_back(
          {.what = Repeat{.times = sweeps + more,
                          .steps = {launch(is_sparse(problem) ? "reference_sparse" : "reference_dense", arguments)},
                          .swaps = {{first, second}, {first_magnitude, second_magnitude}}}});
  }
  return {.source = "kernels/richardson/reference.cuh",
          .plan = std::move(plan),
          .depth = sweep_depth(problem, longest_row(problem))};
}

/// A product of inputs with `depth` roundings on its way into x has an error of at most gamma(depth) times its size.
/// Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1. If sweeps end with a small
/// residual and something is rounded, roundings decide the number of sweeps. For every matrix, the norm of I + alpha A
/// is then at most 1/4, so further sweeps change x by at most 4/3 |alpha| times the residual at the end. That residual
/// has an error of gamma(depth) times the magnitude. Roundings below the smallest normal number have an error less than
/// that number, and add up over the sweeps.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth) {
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  const double alpha = std::fabs(problem.number("alpha"));
  const double sweeps = problem.number("sweeps");
  if (output == "taken")
    return {.comparison = Comparison::bounded, .relative = 0, .absolute = sweeps, .formula = "all sweeps at most"};
  const double roundings = depth * unit_roundoff(problem.type());
  const double gamma = roundings / (1 - roundings);
  const double growth = sweeps <= 1 ? 1 + alpha : std::pow(4, sweeps);
  const double underflow = depth * growth * smallest_normal(problem.type());
  if (!stops_early(problem))
    return {.comparison = Comparison::bounded,
            .relative = gamma,
            .absolute = underflow,
            .formula = "gamma(depth) * magnitude + growth * depth * smallest normal"};
  return {.comparison = Comparison::bounded,
          .relative = 3 * gamma,
          .absolute = 1.5 * alpha * problem.number("tolerance") + underflow,
          .formula = "3 * gamma(depth) * magnitude + 1.5 * |alpha| * tolerance + growth * depth * smallest normal"};
}

/// A matrix that fits in the caches is read once, however many sweeps there are; it is not read if there are none.
Work work(const Problem& problem) {
  const auto size = static_cast<double>(size_of(problem.type()));
  const auto rows = static_cast<double>(problem.shape[0]);
  const auto sweeps = problem.number("sweeps");
  const auto stored = static_cast<double>(entries(problem));
  const double of_matrix = is_sparse(problem) ? stored * (size + 4) + (rows + 1) * 8 : stored * size;
  return {.bytes_read = rows == 0 ? 0 : rows * size + (sweeps == 0 ? 0 : of_matrix + rows * size),
          .bytes_written = rows * size,
          .operations = sweeps * (2 * stored + 3 * rows),
          .arithmetic = problem.type(),
          .steps = rows + std::max(sweeps, 1.0) * stored};
}

}  // namespace

Pattern richardson_pattern() {
  return {
      .name = "richardson",
      .summary =
          "x' = x + alpha (A x - f), so many sweeps from a start, or until no residual is above the tolerance; A is "
          "dense and row-major, or sparse (csr) with `per_row` entries a row on average",
      .extents = {"rows"},
      .variants = {{"matrix", {"dense", "csr"}}, {"stop", {"sweeps", "residual"}}},
      .numbers = {{.name = "alpha",
                   .low = -1,
                   .high = 1,
                   .step = 0.125,
                   .preferred = -0.5,
                   .edges = {-0.5, 0.5, -1, 0, 0.125, 1}},
                  {.name = "sweeps", .low = 0, .high = 32, .preferred = 1, .edges = {1, 2, 3, 0, 5}},
                  {.name = "tolerance",
                   .low = 0,
                   .high = 0.125,  // results may be off by as much, and are about as large as 1
                   .step = 0x1p-10,
                   .preferred = 0x1p-10,
                   .edges = {0, 0x1p-10, 0x1p-5, 0.125}},
                  {.name = "per_row", .low = 1, .high = 64, .preferred = 16, .edges = {16, 1, 2, 3, 33}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "contracting"}, {.name = "ring"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{16384}},
      .trace_shape = {256},
      .buffers = buffers,
      .inputs =
          [](const Problem& problem) {
            if (takes_any_content(problem)) return generic_inputs();
            return std::vector<InputKind>{{.name = "exact", .exact = true}};
          },
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount =
          [](const Problem& problem) {
            return Amount{static_cast<double>(problem.shape[0]) * problem.number("sweeps"), "row updates"};
          },
      .laws = laws(),
  };
}

}  // namespace warpwright::richardson
