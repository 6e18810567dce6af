// The space and plan of reduce/first_add_on_load.
#include "kernels/reduce/first_add_on_load.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel first_add_on_load_kernel() {
  using P = first_add_on_load_params;
  const auto per_block = [](const P& p) { return std::int64_t{2} * p.block_size * p.coarsening; };
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "first_add_on_load",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
              .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
              .axis("unroll", &P::unroll, {1, 2, 4, 8})
              .require("no more pairs in flight than there are", [](const P& p) { return p.unroll <= p.coarsening; }),
      .plan =
          [=](const P& p, const PlanRequest& request) {
            return repeated_plan(request, "first_add_on_load", per_block(p), p.block_size);
          },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth =
          [=](const P& p, const Problem& problem, const Device&) {
            return repeated_levels(problem.elements(), per_block(p)) * (2 * p.coarsening + std::log2(p.block_size));
          },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::reduce
