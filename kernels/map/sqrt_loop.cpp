// Parameter space and launch plan of map/sqrt_loop.
#include "kernels/map/sqrt_loop.cuh"

#include "kernels/map/plans.hpp"

namespace warpwright::map {

Kernel sqrt_loop_kernel() {
  using P = sqrt_loop_params;
  return make_kernel<P>({
      .pattern = "map",
      .name = "sqrt_loop",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("unroll", &P::unroll, {1, 2, 4})
                   .axis("root_form", &P::root_form, {root_form::exact, root_form::reciprocal}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const std::int64_t per_block = std::int64_t{p.block_size} * p.coarsening;
            return map_plan(request, "sqrt_loop", divide_up(request.problem.elements(), per_block), p.block_size,
                            {value(static_cast<int>(request.problem.integer("limit")))});
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{std::int64_t{p.block_size} * p.coarsening}; },
      // Iterations by which the loop may end late.
      .depth = [](const P& p, const Problem&,
                  const Device&) { return p.root_form == root_form::reciprocal ? 1.0 : 0.0; },
      .supports = [](const P&, const Problem& problem, const Device&) { return solves_only(problem, "sqrt_loop"); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::map
