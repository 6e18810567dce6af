// Parameter space and launch plan of nbody/step.
#include "kernels/nbody/step.cuh"

#include "kernels/nbody/plans.hpp"

namespace warpwright::nbody {
namespace {

using P = step_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.steps = leapfrog(
      problem, "bodies", "next", [&](const std::string& from, const std::string& to, double kick, double drift) {
        return std::vector<Step>{
            {.what = Launch{.entry = request.entry("step", {std::string(name_of(problem.type()))}),
                            .grid = {.x = static_cast<std::uint32_t>(groups_of(p, problem))},
                            .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                            .arguments = {pointer_to(from), pointer_to(to), pointer_to("velocity"),
                                          real(problem, softening_squared(problem)), real(problem, kick),
                                          real(problem, drift), value(problem.shape[0])}}}};
      });
  if (!plan.steps.empty())
    plan.buffers.push_back(
        {.name = "next", .role = Role::scratch, .type = problem.type(), .count = 4 * problem.shape[0]});
  return plan;
}

std::string supports(const P&, const Problem& problem, const Device&) {
  return moves(problem) ? "" : "moves bodies (op=steps) only";
}

}  // namespace

Kernel step_kernel() {
  return make_kernel<P>({
      .pattern = "nbody",
      .name = "step",
      .default_params = {},
      .space = lanes_space<P>().require("shared memory holds the slices of the warps, and their sums",
                                        [](const P& p, const Surroundings& around) {
                                          return fits_shared(held_elements(tiling_of(p), p.block_size / 32),
                                                             p.min_blocks, around);
                                        }),
      .plan = plan,
      .tile = group_tile<P>,
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return chain_depth(static_cast<double>(problem.shape[0])) * evaluations(problem); },
      .edges = tiles_of_all_warps<P>,
      .supports = supports,
      .steps = group_steps<P>,
      .loads_in_flight = [](const P& p) { return p.tile / 32; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::nbody
