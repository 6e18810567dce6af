// Parameter space and launch plan of lennard_jones/integrate.
#include "kernels/lennard_jones/integrate.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = integrate_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::int64_t coordinates = 3 * problem.shape[0];
  const std::string type(name_of(problem.type()));
  return moving_plan(p, problem, 1, Where::device, [&](Plan& plan, const Lists& lists) {
    plan.buffers.push_back({.name = "force", .role = Role::scratch, .type = problem.type(), .count = coordinates});
    const auto launch = [&](const std::string& from, const std::string&, double kick, double drift) {
      return std::vector<Step>{
          force_launch(problem, request.entry("integrate_forces", {type}), from, "force", lists),
          {.what =
               Launch{.entry = request.entry("integrate", {type}),
                      .grid = {.x = static_cast<std::uint32_t>(divide_up(coordinates, p.block_size * p.coarsening))},
                      .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                      .arguments = {pointer_to("force"), pointer_to("velocity"), pointer_to(from), real(problem, kick),
                                    real(problem, drift), value(coordinates)}}}};
    };
    return verlet(
        problem, "positions", "positions", p.rebuild_every,
        [&](const std::string& from) { return lists.steps(problem, from); }, launch);
  });
}

}  // namespace

Kernel integrate_kernel() {
  KernelOf<P> kernel = moving_kernel<P>("integrate", plan);
  kernel.space.axis("coarsening", &P::coarsening, {1, 2, 4});
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::lennard_jones
