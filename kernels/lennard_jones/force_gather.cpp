// The space and plan of lennard_jones/force_gather.
#include "kernels/lennard_jones/force_gather.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {

Kernel force_gather_kernel() {
  using P = force_gather_params;
  return make_kernel<P>({
      .pattern = "lennard_jones",
      .name = "force_gather",
      .default_params = {},
      .space = atoms_space<P>(),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return force_plan(request, "force_gather", Lists(request.problem, p.block_size, p.layout, list_of::all, 1),
                              {});
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem&, const Device&) { return neighbors_within(kCutoff + 1); },
      .supports = only_forces<P>,
      .steps = [](const P&, const Problem& problem) { return walking_steps(problem, 1); },
      .loads_in_flight = [](const P& p) { return 3 * p.unroll; },
  });
}

}  // namespace warpwright::lennard_jones
