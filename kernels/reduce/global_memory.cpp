// The space and plan of reduce/global_memory.
#include "kernels/reduce/global_memory.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel global_memory_kernel() {
  using P = global_memory_params;
  const auto per_block = [](const P& p) { return std::int64_t{2} * p.block_size * p.coarsening; };
  const auto sections = [=](const P& p) { return Sections{p.finish, per_block(p), p.block_size}; };
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "global_memory",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                   .axis("finish", &P::finish, finishes),
      .plan =
          [=](const P& p, const PlanRequest& request) {
            Plan plan = block_plan(request, "global_memory", sections(p));
            // The input is not the kernel's to overwrite.
            if (request.problem.elements() > 0) reduce_in_place(plan);
            return plan;
          },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth =
          [=](const P& p, const Problem& problem, const Device&) {
            return block_depth(problem, sections(p), std::log2(static_cast<double>(per_block(p))));
          },
      .edges = [=](const P& p, const Problem&) { return block_edges(sections(p)); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
  });
}

}  // namespace warpwright::reduce
