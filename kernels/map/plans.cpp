// Plans shared by the kernels of map.
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

}  // namespace warpwright::map
