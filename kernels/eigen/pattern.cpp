// The pattern eigen: eigenvalues and eigenvectors of many small symmetric or Hermitian matrices.
#include "kernels/model/pattern.hpp"

#include "kernels/eigen/data.cuh"
#include "kernels/eigen/laws.hpp"
#include "kernels/eigen/oracle.hpp"
#include "kernels/eigen/plans.hpp"

namespace warpwright::eigen {
namespace {

content content_of(const std::string& kind) {
  if (kind == "blocks") return content::blocks;
  if (kind == "rank_one") return content::rank_one;
  if (kind == "random" || kind == "small" || kind == "tiny" || kind == "huge") return content::random;
  if (kind == "spectrum") return content::spectrum;
  if (kind == "clustered") return content::clustered;
  return content::diagonal;
}

/// The largest of random entries. The squares of tiny and of huge ones are no numbers of the type.
template <class T>
T largest_of(const std::string& kind) {
  constexpr bool kWide = sizeof(T) == 8;
  if (kind == "small") return T(0x1p-20);
  if (kind == "tiny") return kWide ? T(0x1p-520) : T(0x1p-75);
  if (kind == "huge") return kWide ? T(0x1p520) : T(0x1p75);
  return 1;
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const auto made = [&]<class T>(T) {
    return make_fill("kernels/eigen/data.cuh",
                     "warpwright::eigen::batch_of<" + std::string(name_of(problem.type())) + ">",
                     batch_of<T>{.kind = content_of(kind),
                                 .order = static_cast<int>(order_of(problem)),
                                 .parts = static_cast<int>(parts_of(problem)),
                                 .largest = largest_of<T>(kind)});
  };
  return {problem.type() == ElementType::f64 ? made(double()) : made(float())};
}

Buffer observed(const std::string& name, Role role, ElementType type, const Problem& problem) {
  return {.name = name, .role = role, .type = type, .count = problem.shape[0] * order_of(problem)};
}

Observation observation(const Problem& problem, const Device&) {
  constexpr std::int64_t kBlock = 128;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  for (Buffer& buffer : plan.buffers) buffer.role = Role::in;
  plan.buffers.push_back(observed("ascending", Role::out, problem.type(), problem));
  for (const char* name : {"residual", "orthogonality"})
    plan.buffers.push_back(observed(name, Role::out, ElementType::f64, problem));
  const std::int64_t vectors = problem.shape[0] * order_of(problem);
  const std::vector<std::string> arguments = entry_arguments(problem);
  if (vectors > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::eigen::observe<" + arguments[0] + ", " + arguments[1] + ">",
                        .grid = {.x = static_cast<std::uint32_t>(divide_up(vectors, kBlock))},
                        .block = {.x = kBlock},
                        .arguments = {pointer_to("matrix"), pointer_to("values"), pointer_to("vectors"),
                                      pointer_to("ascending"), pointer_to("residual"), pointer_to("orthogonality"),
                                      value(static_cast<int>(order_of(problem))), value(vectors)}}});
  return {.source = "kernels/eigen/observation.cuh", .plan = std::move(plan)};
}

Reference reference(const Problem& problem, const Device&) {
  constexpr std::int64_t kBlock = 64;
  const std::int64_t vectors = problem.shape[0] * order_of(problem);
  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  for (const char* name : {"ascending.expected", "ascending.magnitude"})
    plan.buffers.push_back(observed(name, Role::out, ElementType::f64, problem));
  for (const char* name :
       {"residual.expected", "residual.magnitude", "orthogonality.expected", "orthogonality.magnitude"}) {
    plan.buffers.push_back(observed(name, Role::out, ElementType::f64, problem));
    if (vectors > 0) plan.steps.push_back({.what = Memset{.buffer = name, .count = vectors, .value = value(1.0)}});
  }
  plan.buffers.push_back({.name = "scratch",
                          .role = Role::scratch,
                          .type = ElementType::f64,
                          .count = 2 * problem.shape[0] * square_of(problem)});
  const std::vector<std::string> arguments = entry_arguments(problem);
  if (vectors > 0)
    plan.steps.push_back(
        {.what = Launch{
             .entry = "warpwright::eigen::reference<" + arguments[0] + ", " + arguments[1] + ", " + arguments[2] + ">",
             .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], kBlock))},
             .block = {.x = kBlock},
             .arguments = {pointer_to("matrix"), pointer_to("ascending.expected"), pointer_to("ascending.magnitude"),
                           pointer_to("scratch"), value(problem.shape[0])}}});
  return {.source = "kernels/eigen/observation.cuh",
          .plan = std::move(plan),
          .depth = 2 * depth_of(sweep_order::row_cyclic, problem)};
}

/// A diagonal matrix is only sorted. Otherwise the least work known for all values and vectors: Householder's reduction
/// and its product, 4/3 n^3 each, or four times that for complex entries.
Work work(const Problem& problem) {
  const auto matrices = static_cast<double>(problem.shape[0]);
  const auto order = problem.number("order");
  const auto square = static_cast<double>(square_of(problem));
  const auto size = static_cast<double>(size_of(problem.type()));
  const double cube = order * order * order * matrices;
  return {.bytes_read = matrices * square * size,
          .bytes_written = matrices * (square + order) * size,
          .operations = problem.data == "diagonal" ? 0 : cube * (is_complex(problem) ? 32.0 : 8.0) / 3,
          .arithmetic = problem.type(),
          .steps = 2 * cube};  // one sweep over matrix and vectors
}

}  // namespace

Pattern eigen_pattern() {
  return {
      .name = "eigen",
      .summary =
          "eigenvalues, ascending, and the vectors of each in a column, of many symmetric (real) or Hermitian "
          "(complex) "
          "matrices of `order` rows, column after column; entries and eigenvalues must be finite",
      .extents = {"matrices"},
      .variants = {{"entries", {"real", "complex"}}},
      .numbers =
          {{.name = "order", .low = 2, .high = 64, .preferred = 8, .edges = {8, 2, 3, 4, 5, 7, 9, 16, 17, 32, 33, 64}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "random"}, {.name = "spectrum"}, {.name = "clustered"}, {.name = "diagonal", .exact = true}},
      .tuning_types = {{ElementType::f32}, {ElementType::f64}},
      .tuning_shapes = {{16384}},
      .tuning_settings = {{{"order", "8"}}, {{"order", "32"}}},
      .trace_shape = {32},
      .buffers = buffers,
      .inputs =
          [](const Problem&) {
            return std::vector<InputKind>{{.name = "exact", .exact = true},
                                          {.name = "blocks"},
                                          {.name = "rank_one"},
                                          {.name = "small"},
                                          {.name = "tiny"},
                                          {.name = "huge"}};
          },
      .fills = fills,
      .observations = {{.name = "decomposition", .of = observation}},
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount = elements_as("matrices"),
      .laws = laws(),
  };
}

}  // namespace warpwright::eigen
