// Parameter space and launch plan of lennard_jones/step.
#include "kernels/lennard_jones/step.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = step_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return moving_plan(p, problem, p.cells_per_reach, Where::device, [&](Plan& plan, const Lists& lists) {
    plan.buffers.push_back(
        {.name = "next", .role = Role::scratch, .type = problem.type(), .count = 3 * problem.shape[0]});
    const auto launch = [&](const std::string& from, const std::string& to, double kick, double drift) {
      return std::vector<Step>{
          {.what = Launch{.entry = request.entry("step", {std::string(name_of(problem.type()))}),
                          .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], p.block_size))},
                          .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                          .arguments = {pointer_to(from), pointer_to(to), pointer_to("velocity"), pointer_to("length"),
                                        pointer_to("list"), field_argument(problem), real(problem, kick),
                                        real(problem, drift), value(problem.shape[0]), value(lists.capacity)}}}};
    };
    return verlet(
        problem, "positions", "next", p.rebuild_every,
        [&](const std::string& from) { return lists.steps(problem, from); }, launch);
  });
}

}  // namespace

Kernel step_kernel() {
  KernelOf<P> of = moving_kernel<P>("step", plan);
  of.space.axis("cells_per_reach", &P::cells_per_reach, {1, 2});
  of.launch_axes.push_back("cells_per_reach");
  return make_kernel(std::move(of));
}

}  // namespace warpwright::lennard_jones
