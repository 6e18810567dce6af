// Plans shared by the maps.
#include "kernels/map/plans.hpp"

#include "kernels/runtime/storage.hpp"

namespace warpwright::map {

std::vector<Buffer> buffers(const Problem& problem) {
  const auto buffer = [&](const std::string& name, Role role) {
    return Buffer{.name = name, .role = role, .type = problem.type(), .count = problem.elements()};
  };
  if (is_axpy(problem)) return {buffer("x", Role::in), buffer("y", Role::in), buffer("z", Role::out)};
  return {buffer("x", Role::in), buffer("z", Role::out)};
}

bool is_axpy(const Problem& problem) {
  return problem.option("op") == "axpy";
}

bool is_sqrt_loop(const Problem& problem) {
  return problem.option("op") == "sqrt_loop";
}

ValueArgument alpha_of(const Problem& problem) {
  return with_type_of<int, float, double>(problem.type(),
                                          [&]<class T>(T) { return value(static_cast<T>(problem.number("alpha"))); });
}

Plan map_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size,
              const std::vector<Argument>& values) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (blocks == 0) return plan;
  Launch launch{.entry = request.entry(function, {std::string(name_of(problem.type()))}),
                .grid = {.x = static_cast<std::uint32_t>(blocks)},
                .block = {.x = static_cast<std::uint32_t>(block_size)},
                .arguments = {}};
  for (const Buffer& buffer : plan.buffers) launch.arguments.push_back(pointer_to(buffer.name));
  launch.arguments.insert(launch.arguments.end(), values.begin(), values.end());
  launch.arguments.push_back(value(problem.elements()));
  plan.steps.push_back({.what = std::move(launch)});
  return plan;
}

std::string solves_only(const Problem& problem, const std::string& op) {
  return problem.option("op") == op ? "" : "it solves op=" + op;
}

std::string refuses_as_axpy(const Problem& problem) {
  if (const std::string other = solves_only(problem, "axpy"); !other.empty()) return other;
  return is_floating(problem.type()) ? "" : "the factor may be a fraction: needs float or double";
}

}  // namespace warpwright::map
