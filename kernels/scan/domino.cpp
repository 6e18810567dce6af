// Parameter space and launch plan of scan/domino.
#include "kernels/scan/domino.cuh"

#include "kernels/scan/single_pass.hpp"

namespace warpwright::scan {

Kernel domino_kernel() {
  using P = domino_params;
  return make_kernel<P>({
      .pattern = "scan",
      .name = "domino",
      .default_params = {},
      .space = single_pass_space<P>({64, 128, 256, 512, 1024}, [](const P&) { return 1; }),
      .plan = [](const P& p, const PlanRequest& request) { return single_pass_plan(p, request, "domino", 1); },
      .tile = tile_extents<P>,
      .depth = [](const P& p, const Problem& problem, const Device&) { return chain_depth(p, problem); },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .handovers =
          [](const P& p, const Problem& problem) {
            return static_cast<double>(divide_up(problem.shape[0], tile_extents(p)[0]));
          },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
