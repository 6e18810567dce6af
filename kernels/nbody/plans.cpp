// Plans shared by the kernels of nbody.
#include "kernels/nbody/plans.hpp"

namespace warpwright::nbody {

std::vector<Buffer> buffers(const Problem& problem) {
  const auto buffer = [&](const char* name, Role role, std::int64_t numbers) {
    return Buffer{.name = name, .role = role, .type = problem.type(), .count = numbers * problem.shape[0]};
  };
  if (moves(problem)) return {buffer("bodies", Role::inout, 4), buffer("velocity", Role::inout, 3)};
  return {buffer("bodies", Role::in, 4), buffer("acceleration", Role::out, 3)};
}

Plan force_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.shape[0] == 0) return plan;
  plan.steps.push_back(
      {.what = Launch{.entry = request.entry(function, {std::string(name_of(problem.type()))}),
                      .grid = {.x = static_cast<std::uint32_t>(blocks)},
                      .block = {.x = static_cast<std::uint32_t>(block_size)},
                      .arguments = {pointer_to("bodies"), pointer_to("acceleration"),
                                    real(problem, softening_squared(problem)), value(problem.shape[0])}}});
  return plan;
}

std::vector<Step> leapfrog(const Problem& problem, const std::string& bodies, const std::string& next,
                           const std::function<std::vector<Step>(const std::string& from, const std::string& to,
                                                                 double kick, double drift)>& launch) {
  const std::int64_t steps = problem.integer("steps");
  const double dt = problem.number("dt");
  if (steps == 0 || problem.shape[0] == 0) return {};
  std::vector<Step> all = launch(bodies, next, dt / 2, dt);
  if (steps > 1)
    all.push_back(
        {.what = Repeat{.times = steps - 1, .steps = launch(next, bodies, dt, dt), .swaps = {{next, bodies}}}});
  const bool ends_in_next = steps % 2 == 1;
  for (Step& step : ends_in_next ? launch(next, bodies, dt / 2, 0) : launch(bodies, next, dt / 2, 0))
    all.push_back(std::move(step));
  return all;
}

}  // namespace warpwright::nbody
