// The pattern random: uniform and normal numbers of the sequence given by a seed, from any offset on.
#include "kernels/model/pattern.hpp"

#include <cmath>

#include "kernels/model/elements.hpp"
#include "kernels/random/data.cuh"
#include "kernels/random/laws.hpp"
#include "kernels/random/normal.hpp"
#include "kernels/random/numbers.cuh"
#include "kernels/random/plans.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::random {
namespace {

/// Standard normal number k of a block, computed from uniform numbers of type T.
template <class T>
double normal_of(const philox_block& block, int k, bool by_inverse) {
  if (by_inverse) return static_cast<double>(normal_quantile(open(bits_of(block, k, T()))));
  const int pair = k / 2 * 2;
  const long double length = std::sqrt(-2 * std::log(static_cast<long double>(positive(bits_of(block, pair, T())))));
  const long double angle = 2 * static_cast<long double>(uniform_of(block, pair + 1, T()));
  return static_cast<double>(length * (k == pair ? cosine_of_pi(angle) : sine_of_pi(angle)));
}

template <class T>
Expectation numbers_of(const Problem& problem, std::uint64_t seed) {
  ExpectedOutput expected{.buffer = "out"};
  std::vector<T> uniform;
  std::vector<double> normal;
  for (std::int64_t i = 0; i < problem.elements(); ++i) {
    const std::uint64_t place = offset_of(problem) + static_cast<std::uint64_t>(i);
    const philox_block block = block_of(seed, place / kNumbers<T>);
    const auto k = static_cast<int>(place % kNumbers<T>);
    if constexpr (std::is_floating_point_v<T>) {
      if (is_normal(problem)) {
        normal.push_back(normal_of<T>(block, k, is_inverse(problem)));
        expected.magnitude.push_back(std::fabs(normal.back()));
        continue;
      }
    }
    uniform.push_back(uniform_of(block, k, T()));
  }
  expected.values = is_normal(problem) ? bytes_of(normal) : bytes_of(uniform);
  return {expected};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const std::uint64_t seed = elements_of<std::uint64_t>(inputs[0])[0];
  return with_type_of<unsigned, float, double>(problem.type(),
                                               [&]<class T>(T) { return numbers_of<T>(problem, seed); });
}

Reference reference(const Problem& problem, const Device& device) {
  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  const std::string type(name_of(problem.type()));
  const auto add = [&](const std::string& name, ElementType of) {
    plan.buffers.push_back({.name = name, .role = Role::out, .type = of, .count = problem.elements()});
  };
  add("out.expected", is_normal(problem) ? ElementType::f64 : problem.type());
  if (is_normal(problem)) add("out.magnitude", ElementType::f64);
  Launch launch{.entry = is_normal(problem) ? "warpwright::random::reference_normal<" + type +
                                                  (is_inverse(problem) ? ", true>" : ", false>")
                                            : "warpwright::random::reference_uniform<" + type + ">",
                .grid = {.x = static_cast<std::uint32_t>(device.sm_count * 8)},
                .block = {.x = 256},
                .arguments = {}};
  for (const Buffer& buffer : plan.buffers) launch.arguments.push_back(pointer_to(buffer.name));
  launch.arguments.push_back(value(offset_of(problem)));
  launch.arguments.push_back(value(problem.elements()));
  if (problem.elements() > 0) plan.steps.push_back({.what = std::move(launch)});
  Problem wide = problem;
  wide.types = {ElementType::f64};
  return {.source = "kernels/random/reference.cuh", .plan = std::move(plan), .depth = roundings(wide)};
}

Bound bound(const Problem& problem, const std::string&, const InputKind&, double depth) {
  if (!is_normal(problem)) return {.comparison = Comparison::bits, .formula = "the same bits"};
  return {.comparison = Comparison::bounded,
          .relative = std::expm1(depth * std::log1p(unit_roundoff(problem.type()))),
          .formula = "((1 + u)^depth - 1) * |number|"};
}

Work work(const Problem& problem) {
  const auto count = static_cast<double>(problem.elements());
  const auto size = static_cast<double>(size_of(problem.type()));
  constexpr double kOperationsAWord = 25;  // ten rounds of two products and six other operations, for four words
  return {.bytes_read = sizeof(std::uint64_t),
          .bytes_written = count * size,
          .operations = count * kOperationsAWord * size / 4,
          // Converting to normal numbers takes longer than generating bits, and is done in floats at least.
          .arithmetic = is_normal(problem) ? ElementType::f32 : ElementType::u32,
          .steps = 2 * count};
}

}  // namespace

Pattern random_pattern() {
  // The seed determines the numbers; they are exact except for normal ones.
  const auto inputs = [](const Problem& problem) {
    const bool exact = !is_normal(problem);
    return std::vector<InputKind>{{.name = "exact", .exact = exact}, {.name = "edges", .exact = exact}};
  };
  return {
      .name = "random",
      .summary =
          "numbers `offset` and following of the sequence that a seed stands for, by Philox 4x32-10: uniform in "
          "[0, 1) or of all bits, or standard normal; each depends on the seed and its place alone",
      .extents = {"elements"},
      .variants = {{"distribution", {"uniform", "normal"}}, {"transform", {"box_muller", "inverse"}}},
      .numbers = {{.name = "offset",
                   .low = 0,
                   .high = 0x1p52,
                   .preferred = 0,
                   .edges = {1, 2, 3, 5, 0x1p32 - 1, 0x1p34 - 5, 0x1p35 + 2}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::u32}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .tuning_settings = {{}, {{"distribution", "normal"}}},
      .trace_shape = {1 << 15},
      .buffers = buffers,
      .inputs = inputs,
      .fills =
          [](const Problem&, const std::string& kind) {
            return std::vector<Fill>{make_fill("kernels/random/data.cuh", "warpwright::random::any_seed",
                                               any_seed{.is_edge = kind == "edges"})};
          },
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount = elements_as("numbers"),
      .laws = laws(),
  };
}

}  // namespace warpwright::random
