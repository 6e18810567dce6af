// The space and plan of reduce/sequential.
#include "kernels/reduce/sequential.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel sequential_kernel() {
  using P = sequential_params;
  const auto per_block = [](const P& p) { return std::int64_t{p.block_size} * p.coarsening; };
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "sequential",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                   .axis("bank_pad", &P::bank_pad, {0, 1})
                   .require("a block reduces more than one element",
                            [](const P& p) { return p.block_size * p.coarsening > 32; }),
      .plan =
          [=](const P& p, const PlanRequest& request) {
            return repeated_plan(request, "sequential", per_block(p), p.block_size);
          },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth =
          [=](const P& p, const Problem& problem, const Device&) {
            return repeated_levels(problem.elements(), per_block(p)) * (p.coarsening + std::log2(p.block_size));
          },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::reduce
