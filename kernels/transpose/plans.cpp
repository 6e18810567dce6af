// Plans shared by the kernels of transpose.
#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

std::vector<Buffer> buffers(const Problem& problem) {
  return {{.name = "in", .role = Role::in, .type = problem.type(), .count = problem.elements()},
          {.name = "out", .role = Role::out, .type = problem.type(), .count = problem.elements()}};
}

Plan matrix_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, Dim3 block) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  plan.steps.push_back({.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type()))}),
                                       .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                       .block = block,
                                       .arguments = {pointer_to("in"), pointer_to("out"), value(problem.shape[0]),
                                                     value(problem.shape[1])}}});
  return plan;
}

bool transposes(const Problem& problem) {
  return problem.option("op") == "transpose";
}

}  // namespace warpwright::transpose
