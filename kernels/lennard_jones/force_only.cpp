// Parameter space and launch plan of lennard_jones/force_only.
#include "kernels/lennard_jones/force_only.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = force_only_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::int64_t coordinates = 3 * problem.shape[0];
  const std::string type(name_of(problem.type()));
  return moving_plan(p, problem, 1, Where::pinned, [&](Plan& plan, const Lists& lists) {
    const auto scratch = [&](const char* name, Where where) {
      plan.buffers.push_back(
          {.name = name, .role = Role::scratch, .type = problem.type(), .count = coordinates, .where = where});
      return plan.buffers.back().bytes();
    };
    scratch("places", Where::device);
    scratch("force", Where::device);
    const std::int64_t bytes = scratch("pulls", Where::pinned);
    const auto launch = [&](const std::string&, const std::string&, double kick, double drift) {
      return std::vector<Step>{
          {.what = Copy{.from = "positions", .to = "places", .bytes = bytes}},
          force_launch(problem, request.entry("force_only", {type}), "places", "force", lists),
          {.what = Copy{.from = "force", .to = "pulls", .bytes = bytes}},
          {.what = Synchronise{}},
          {.what = HostWork{.source = "kernels/lennard_jones/on_host.cuh",
                            .function = "warpwright::lennard_jones::move_on_host<" + type + ">",
                            .arguments = {pointer_to("pulls"), pointer_to("velocity"), pointer_to("positions"),
                                          real(problem, kick), real(problem, drift), value(coordinates)},
                            .accesses = {{.buffer = "pulls", .bytes = bytes},
                                         {.buffer = "velocity", .bytes = bytes},
                                         {.buffer = "velocity", .bytes = bytes, .writes = true},
                                         {.buffer = "positions", .bytes = bytes},
                                         {.buffer = "positions", .bytes = bytes, .writes = true}}}}};
    };
    const auto rebuild = [&](const std::string&) {
      std::vector<Step> steps{{.what = Copy{.from = "positions", .to = "places", .bytes = bytes}}};
      append(steps, lists.steps(problem, "places"));
      return steps;
    };
    return verlet(problem, "positions", "positions", p.rebuild_every, rebuild, launch);
  });
}

}  // namespace

Kernel force_only_kernel() {
  return make_kernel(moving_kernel<P>("force_only", plan));
}

}  // namespace warpwright::lennard_jones
