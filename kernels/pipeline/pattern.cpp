// The pattern pipeline: a map over data in host memory, with copies, kernels and CPU work overlapped.
// No vendor baseline: no library of the toolkit moves a caller's data through a kernel of the caller's.
#include "kernels/model/pattern.hpp"

#include <algorithm>

#include "kernels/model/elements.hpp"
#include "kernels/pipeline/element.cuh"
#include "kernels/pipeline/plans.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::pipeline {
namespace {

template <class T>
Bytes worked_elements(const Bytes& in, int operations) {
  std::vector<T> values = elements_of<T>(in);
  for (T& value : values) value = worked(value, operations);
  return bytes_of(values);
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto operations = static_cast<int>(problem.integer("operations"));
  return {{.buffer = "out",
           .values = problem.type() == ElementType::f64 ? worked_elements<double>(inputs[0], operations)
                                                        : worked_elements<float>(inputs[0], operations)}};
}

Reference reference(const Problem& problem, const Device& device) {
  Plan plan{.buffers = buffers(problem, Where::device), .steps = {}};
  plan.buffers[1].name = "out.expected";
  if (problem.elements() > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::pipeline::reference<" + std::string(name_of(problem.type())) + ">",
                        .grid = {.x = static_cast<std::uint32_t>(device.sm_count * 8)},
                        .block = {.x = 256},
                        .arguments = {pointer_to("in"), pointer_to("out.expected"), value(problem.elements()),
                                      value(static_cast<int>(problem.integer("operations")))}}});
  return {.source = "kernels/pipeline/reference.cuh", .plan = std::move(plan), .depth = 0};
}

/// Running the two parts of the data one after the other gives the same results.
std::string chunks_are_the_whole(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const auto size = static_cast<std::ptrdiff_t>(size_of(problem.type()));
  Problem first = problem;
  Problem second = problem;
  first.shape = {problem.elements() / 3};
  second.shape = {problem.elements() - first.shape[0]};
  const auto cut = inputs[0].begin() + first.shape[0] * size;
  Bytes together = run(first, {{inputs[0].begin(), cut}})[0];
  const Bytes rest = run(second, {{cut, inputs[0].end()}})[0];
  together.insert(together.end(), rest.begin(), rest.end());
  return together == run(problem, inputs)[0] ? "" : "two parts of the data do not give what the whole gives";
}

Work work(const Problem& problem) {
  const auto count = static_cast<double>(problem.elements());
  const double bytes = count * static_cast<double>(size_of(problem.type()));
  constexpr double kOperationsAStep = 64;  // additions in registers are cheap compared with a checked access
  return {.bytes_read = bytes,
          .bytes_written = bytes,
          .operations = count * problem.number("operations"),
          .arithmetic = problem.type(),
          .steps = count * (1 + problem.number("operations") / kOperationsAStep),
          .bus_to_device = bytes,
          .bus_to_host = bytes};
}

}  // namespace

Pattern pipeline_pattern() {
  return {
      .name = "pipeline",
      .summary = "a map over data of the host: over the bus, through a kernel, and back",
      .extents = {"elements"},
      .numbers = {{.name = "operations", .low = 1, .high = 8192, .preferred = 16, .edges = {1, 2, 64}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .data = {{.name = "uniform", .exact = true}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .tuning_settings = {{}, {{"operations", "1024"}}},
      .trace_shape = {1 << 14},
      .buffers = [](const Problem& problem) { return buffers(problem, Where::pinned); },
      .inputs = [](const Problem&) { return generic_inputs(true); },
      .fills = [](const Problem& problem,
                  const std::string& kind) { return generic_fills(buffers(problem, Where::device), kind); },
      .oracle = oracle,
      .reference = reference,
      .bound = same_values,
      .work = work,
      .amount = elements_as("elements"),
      .laws = {{.name = "chunking does not change the result", .broken = chunks_are_the_whole}},
  };
}

}  // namespace warpwright::pipeline
