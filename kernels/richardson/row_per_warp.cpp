// Parameter space and launch plan of richardson/row_per_warp.
#include "kernels/richardson/row_per_warp.cuh"

#include "kernels/richardson/warp_plans.hpp"

namespace warpwright::richardson {
namespace {

using P = row_per_warp_params;

std::string supports(const P& p, const Problem& problem, const Device&) {
  if (is_sparse(problem) && p.vector_width > 1) return "takes the entries of sparse rows one by one";
  return too_large(problem);
}

}  // namespace

Kernel row_per_warp_kernel() {
  return make_kernel<P>({
      .pattern = "richardson",
      .name = "row_per_warp",
      .default_params = {},
      .space = with_warp_axes(SpaceOf<P>{}.axis("block_size", &P::block_size, {32, 64, 128, 256, 512})),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return sweeps_plan(request, "row_per_warp", divide_up(request.problem.shape[0], block_rows(p)),
                               p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{block_rows(p)}; },
      .depth = [](const P& p, const Problem& problem,
                  const Device&) { return sweep_depth(problem, lane_terms(p, longest_row(problem)) + kWarpLevels); },
      .supports = supports,
      .loads_in_flight = [](const P& p) { return p.rows_per_warp * p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::richardson
