// The toy pattern scale: out = 2 * in.
#include "kernels/model/pattern.hpp"

#include <cstring>

#include "kernels/runtime/input.hpp"
#include "scale/plans.hpp"

namespace warpwright::scale {

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()}};
}

Plan scale_plan(const PlanRequest& request, const std::string& function, int block_size) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  plan.steps.push_back(
      {.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type()))}),
                      .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.elements(), block_size))},
                      .block = {.x = static_cast<std::uint32_t>(block_size)},
                      .arguments = {pointer_to("in"), pointer_to("out"), value(problem.elements())}}});
  return plan;
}

Pattern scale_pattern() {
  return {
      .name = "scale",
      .summary = "twice the input: a toy outside the tree",
      .extents = {"elements"},
      .types = {{ElementType::f32}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{1 << 22}},
      .trace_shape = {1 << 12},
      .buffers = buffers,
      .inputs =
          [](const Problem&) {
            return std::vector<InputKind>{{.name = "exact", .exact = true}, {.name = "uniform", .exact = true}};
          },
      .fills = [](const Problem& problem, const std::string& kind) { return generic_fills(buffers(problem), kind); },
      .oracle =
          [](const Problem&, const std::vector<Bytes>& inputs) {
            Bytes out(inputs[0].size());
            for (std::size_t i = 0; i < out.size(); i += sizeof(float)) {
              float element = 0;
              std::memcpy(&element, &inputs[0][i], sizeof element);
              element *= 2;
              std::memcpy(&out[i], &element, sizeof element);
            }
            return Expectation{{.buffer = "out", .values = std::move(out)}};
          },
      .reference =
          [](const Problem& problem, const Device&) {
            Plan plan{.buffers = buffers(problem), .steps = {}};
            plan.buffers[1].name = "out.expected";
            plan.steps.push_back(
                {.what =
                     Launch{.entry = "warpwright::scale::plain<float, "
                                     "warpwright::scale::plain_params{.block_size = 128}>",
                            .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.elements(), 128))},
                            .block = {.x = 128},
                            .arguments = {pointer_to("in"), pointer_to("out.expected"), value(problem.elements())}}});
            return Reference{.source = "scale/plain.cuh", .plan = plan, .depth = 0};
          },
      .bound = same_values,
      .work =
          [](const Problem& problem) {
            const auto count = static_cast<double>(problem.elements());
            return Work{.bytes_read = count * sizeof(float),
                        .bytes_written = count * sizeof(float),
                        .operations = count,
                        .steps = count};
          }};
}

}  // namespace warpwright::scale
