// The pattern peaks: the indices of all elements above a level, in any order, and how many there are.
#include "kernels/model/pattern.hpp"

#include "kernels/model/elements.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/runtime/input.hpp"
#include "peaks/data.cuh"

namespace warpwright::peaks {
namespace {

constexpr int kBiases = 16;

std::vector<Buffer> buffers(const Problem& problem) {
  const std::int64_t count = problem.elements();
  return {{.name = "in", .role = Role::in, .type = ElementType::i32, .count = count},
          {.name = "bias", .role = Role::in, .type = ElementType::i32, .count = kBiases},
          {.name = "list", .role = Role::out, .type = ElementType::i32, .count = count},
          {.name = "count", .role = Role::out, .type = ElementType::u32, .count = 1}};
}

std::vector<Fill> fills(const Problem&, const std::string& kind) {
  const auto drawn = make_fill("peaks/data.cuh", "warpwright::peaks::percent", percent{});
  const auto rising = make_fill("peaks/data.cuh", "warpwright::peaks::ramp", ramp{});
  return {kind == "ramp" ? rising : drawn, generic_fill(ElementType::i32, "few_values")};
}

Launch launch(const std::string& function, std::int64_t blocks, std::vector<Argument> arguments) {
  return {.entry = "warpwright::peaks::" + function,
          .grid = {.x = static_cast<std::uint32_t>(blocks)},
          .block = {.x = 256},
          .arguments = std::move(arguments)};
}

Observation as_set(const Problem& problem, const Device&) {
  const auto count = static_cast<int>(problem.elements());
  Plan plan{.buffers = {{.name = "list", .role = Role::in, .type = ElementType::i32, .count = count},
                        {.name = "count", .role = Role::in, .type = ElementType::u32, .count = 1},
                        {.name = "marks", .role = Role::out, .type = ElementType::u32, .count = count},
                        {.name = "length", .role = Role::out, .type = ElementType::u32, .count = 1}},
            .steps = {{.what = Memset{.buffer = "marks", .count = count, .value = value(0U)}}}};
  plan.steps.push_back({.what = launch("mark", divide_up(count, 256) + 1,
                                       {pointer_to("list"), pointer_to("count"), pointer_to("marks"),
                                        pointer_to("length"), value(count)})});
  return {.source = "peaks/check.cuh", .plan = std::move(plan)};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto in = elements_of<int>(inputs[0]);
  const auto bias = elements_of<int>(inputs[1]);
  std::vector<unsigned> marks;
  unsigned length = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    marks.push_back(in[i] + bias[i % kBiases] > problem.integer("level") ? 1 : 0);
    length += marks.back();
  }
  return {{.buffer = "marks", .values = bytes_of(marks)},
          {.buffer = "length", .values = bytes_of(std::vector<unsigned>{length})}};
}

Reference reference(const Problem& problem, const Device&) {
  const auto count = static_cast<int>(problem.elements());
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::i32, .count = count},
                        {.name = "bias", .role = Role::in, .type = ElementType::i32, .count = kBiases},
                        {.name = "marks.expected", .role = Role::out, .type = ElementType::u32, .count = count},
                        {.name = "length.expected", .role = Role::out, .type = ElementType::u32, .count = 1}},
            .steps = {}};
  const auto level = static_cast<int>(problem.integer("level"));
  plan.steps.push_back({.what = launch("reference", 1,
                                       {pointer_to("in"), pointer_to("bias"), pointer_to("marks.expected"),
                                        pointer_to("length.expected"), value(level), value(count)})});
  return {.source = "peaks/check.cuh", .plan = std::move(plan)};
}

/// A law: a higher level does not have more peaks.
std::string higher_levels_have_fewer(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  Problem higher = problem;
  higher.numbers["level"] = std::min(problem.number("level") + 10, 99.0);
  const auto length = [&](const Problem& one) { return elements_of<unsigned>(run(one, inputs)[1])[0]; };
  return length(higher) <= length(problem) ? "" : "a higher level has more peaks";
}

}  // namespace

Pattern peaks_pattern() {
  return {
      .name = "peaks",
      .summary = "the places of all elements above a level, in any order",
      .extents = {"elements"},
      .numbers = {{.name = "level", .low = 0, .high = 99, .preferred = 90, .edges = {50, 99}}},
      .types = {{ElementType::i32}},
      .data = {{.name = "percent", .exact = true}, {.name = "ramp", .exact = true}},
      .tuning_types = {{ElementType::i32}},
      .tuning_shapes = {{1 << 20}},
      .trace_shape = {1 << 12},
      .buffers = buffers,
      .inputs = [](const Problem&) { return std::vector<InputKind>{{.name = "exact", .exact = true}}; },
      .fills = fills,
      .observations = {{.name = "as a set", .of = as_set}},
      .oracle = oracle,
      .reference = reference,
      .bound = same_values,
      .work =
          [](const Problem& problem) {
            const auto count = static_cast<double>(problem.elements());
            return Work{.bytes_read = 4 * count, .bytes_written = 4, .operations = count, .steps = count};
          },
      .amount = elements_as("elements"),
      .laws = {{.name = "higher levels have fewer", .broken = higher_levels_have_fewer}},
  };
}

}  // namespace warpwright::peaks
