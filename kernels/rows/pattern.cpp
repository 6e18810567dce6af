// The pattern rows: softmax, layernorm or rmsnorm of each row of a matrix.
#include "kernels/model/pattern.hpp"

#include <algorithm>

#include "kernels/rows/data.cuh"
#include "kernels/rows/expected.cuh"
#include "kernels/rows/laws.hpp"
#include "kernels/rows/oracle.hpp"
#include "kernels/rows/plans.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::rows {
namespace {

std::vector<InputKind> inputs(const Problem& problem) {
  std::vector<InputKind> kinds = generic_inputs();
  if (has_biases(problem)) kinds.push_back({.name = "shifted", .same_sign = true});
  if (!has_weights(problem)) {
    kinds.push_back({.name = "masked"});
    kinds.push_back({.name = "scores"});
  }
  return kinds;
}

Fill fill_of_matrix(const Problem& problem, content kind) {
  return with_type_of<float, float16, bfloat16>(problem.type(), [&]<class T>(T) {
    return make_fill("kernels/rows/data.cuh", "warpwright::rows::elements<" + entry_arguments(problem)[0] + ">",
                     elements<T>{.kind = kind,
                                 .op = operation_of(problem),
                                 .columns = static_cast<int>(std::max<std::int64_t>(problem.shape[1], 1))});
  });
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const bool is_own = kind == "shifted" || kind == "masked" || kind == "scores";
  std::vector<Fill> made = generic_fills(buffers(problem), is_own ? "uniform" : kind);
  if (kind == "exact") made[0] = fill_of_matrix(problem, content::exact);
  if (kind == "shifted") made[0] = fill_of_matrix(problem, content::shifted);
  if (kind == "masked") made[0] = fill_of_matrix(problem, content::masked);
  if (kind == "scores") made[0] = fill_of_matrix(problem, content::scores);
  return made;
}

Reference reference(const Problem& problem, const Device& device) {
  constexpr std::int64_t kBlocksPerSm = 8;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.pop_back();
  for (const char* name : {"out.expected", "out.magnitude"})
    plan.buffers.push_back({.name = name, .role = Role::out, .type = ElementType::f64, .count = problem.elements()});
  const std::vector<std::string> arguments = entry_arguments(problem);
  const std::int64_t blocks = std::min(problem.shape[0], kBlocksPerSm * device.sm_count);
  if (problem.elements() > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::rows::reference<" + arguments[0] + ", " + arguments[1] + ">",
                        .grid = {.x = static_cast<std::uint32_t>(blocks)},
                        .block = {.x = kReferenceBlock},
                        .arguments = {pointer_to("in"), pointer_to(has_weights(problem) ? "weight" : "in"),
                                      pointer_to(has_biases(problem) ? "bias" : "in"), pointer_to("out.expected"),
                                      pointer_to("out.magnitude"), matrix_argument(problem)}}});
  const double terms = static_cast<double>(problem.shape[1]) / kReferenceBlock + levels_of(kReferenceBlock) + 1;
  return {.source = "kernels/rows/reference.cuh", .plan = std::move(plan), .depth = depth_of_passes(terms) + 8};
}

/// The roundings of both passes, which the kernel declares, and at most 16 of an element on its way (expected.cuh), are
/// relative to the magnitude (N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, sections 1.9 and 3.1). A
/// result of a short float is rounded once more.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  if (input.exact) {
    // Half of what epsilon is beside the squares of 2^15 is the share that floats lose. The oracle's doubles round too.
    const bool absorbs = operation_of(problem) == operation::rmsnorm;
    return {.comparison = Comparison::bounded,
            .relative = absorbs ? problem.number("epsilon") * 0x1p-30 + 0x1p-45 : 0,
            .absolute = 0,
            .formula = absorbs ? "(epsilon / 2^30 + 2^-45) |result|" : "exact"};
  }
  constexpr double kOfElement = 16;
  const double roundings = (depth + kOfElement) * unit_roundoff(ElementType::f32);
  const ElementType type = problem.type();
  const bool is_short = type != ElementType::f32;
  return {
      .comparison = Comparison::bounded,
      .relative = roundings / (1 - roundings) + (is_short ? unit_roundoff(type) : 0),
      .absolute = 4 * smallest_normal(ElementType::f32) + (is_short ? smallest_normal(type) * unit_roundoff(type) : 0),
      .formula = "(gamma(depth + 12) + u of short results) * magnitude + underflow"};
}

/// Softmax: a subtraction, an exponential, an addition and a product for each element. The others: two for the mean,
/// three for the squares, and two for the result, with a weight and a bias.
Work work(const Problem& problem) {
  const auto count = static_cast<double>(problem.elements());
  const auto size = static_cast<double>(size_of(problem.type()));
  const auto columns = static_cast<double>(problem.shape[1]);
  const double vectors = (has_weights(problem) ? 1 : 0) + (has_biases(problem) ? 1 : 0);
  const double each = !has_weights(problem) ? 5 : has_biases(problem) ? 7 : 4;
  return {.bytes_read = (count + (count > 0 ? vectors * columns : 0)) * size,
          .bytes_written = count * size,
          .operations = each * count,
          .steps = 2 * count};
}

}  // namespace

Pattern rows_pattern() {
  return {
      .name = "rows",
      .summary =
          "softmax, layernorm or rmsnorm of each row of a matrix: exp(x - max) / sum, or (x - mean) / sqrt(variance + "
          "epsilon) * weight + bias, or x / sqrt(mean square + epsilon) * weight; sums are in float",
      .aliases = {{"softmax", {{"op", "softmax"}}},
                  {"layernorm", {{"op", "layernorm"}}},
                  {"rmsnorm", {{"op", "rmsnorm"}}}},
      .extents = {"rows", "columns"},
      .variants = {{"op", {"softmax", "layernorm", "rmsnorm"}}},
      .numbers =
          {{.name = "epsilon", .low = 1e-8, .high = 1e-2, .step = 0, .preferred = 1e-5, .edges = {1e-5, 1e-8, 1e-2}}},
      .types = {{ElementType::f32}, {ElementType::f16}, {ElementType::bf16}},
      .data = {{.name = "normal"}},
      .tuning_types = {{ElementType::f32}, {ElementType::bf16}},
      .tuning_shapes = {{4096, 4096}},
      .tuning_settings = {{{"op", "softmax"}}, {{"op", "layernorm"}}, {{"op", "rmsnorm"}}},
      .trace_shape = {64, 512},
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

}  // namespace warpwright::rows
