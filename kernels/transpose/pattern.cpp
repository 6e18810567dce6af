// The pattern transpose: out[column][row] = in[row][column] for any matrix; with op=copy, out = in.
#include "kernels/model/pattern.hpp"

#include <cstring>

#include "kernels/runtime/input.hpp"
#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {
namespace {

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  if (!transposes(problem)) return {{.buffer = "out", .values = inputs[0]}};
  const std::size_t size = size_of(problem.type());
  const auto rows = static_cast<std::size_t>(problem.shape[0]);
  const auto columns = static_cast<std::size_t>(problem.shape[1]);
  Bytes out(inputs[0].size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      std::memcpy(&out[(column * rows + row) * size], &inputs[0][(row * columns + column) * size], size);
  return {{.buffer = "out", .values = std::move(out)}};
}

Reference reference(const Problem& problem, const Device& device) {
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers[1].name = "out.expected";
  if (problem.elements() > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::transpose::reference<" + std::string(name_of(problem.type())) + ", " +
                                 (transposes(problem) ? "true" : "false") + ">",
                        .grid = {.x = static_cast<std::uint32_t>(device.sm_count * 8)},
                        .block = {.x = 256},
                        .arguments = {pointer_to("in"), pointer_to("out.expected"), value(problem.shape[0]),
                                      value(problem.shape[1])}}});
  return {.source = "kernels/transpose/reference.cuh", .plan = std::move(plan), .depth = 0};
}

std::string twice_is_identity(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!transposes(problem)) return {};
  Problem back = problem;
  std::swap(back.shape[0], back.shape[1]);
  const auto once = run(problem, inputs);
  return run(back, once) == inputs ? "" : "transposing twice did not give the input back";
}

}  // namespace

Pattern transpose_pattern() {
  return {
      .name = "transpose",
      .summary = "the transpose of a row-major matrix, any rows x columns",
      .extents = {"rows", "columns"},
      .variants = {{"op", {"transpose", "copy"}}},
      .types = {{ElementType::f32}, {ElementType::f64}},
      .tuning_types = {{ElementType::f32}, {ElementType::f64}},
      .tuning_shapes = {{8192, 8192}},
      .tuning_settings = {{{"op", "transpose"}}, {{"op", "copy"}}},
      .trace_shape = {128, 64},
      .buffers = buffers,
      .inputs = [](const Problem&) { return generic_inputs(true); },
      .fills = [](const Problem& problem, const std::string& kind) { return generic_fills(buffers(problem), kind); },
      .oracle = oracle,
      .reference = reference,
      .bound = same_bits,
      .work =
          [](const Problem& problem) {
            const auto count = static_cast<double>(problem.elements());
            const double bytes = count * static_cast<double>(size_of(problem.type()));
            return Work{.bytes_read = bytes, .bytes_written = bytes, .steps = count};
          },
      .amount = elements_as("elements"),
      .laws = {{.name = "twice is the identity", .broken = twice_is_identity}},
  };
}

}  // namespace warpwright::transpose
