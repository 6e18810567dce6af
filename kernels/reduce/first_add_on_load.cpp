// The space and plan of reduce/first_add_on_load.
#include "kernels/reduce/first_add_on_load.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel first_add_on_load_kernel() {
  using P = first_add_on_load_params;
  const auto per_block = [](const P& p) { return std::int64_t{2} * p.block_size * p.coarsening; };
  const auto sections = [=](const P& p) { return Sections{p.finish, per_block(p), p.block_size}; };
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "first_add_on_load",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
              .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
              .axis("unroll", &P::unroll, {1, 2, 4, 8})
              .axis("finish", &P::finish, finishes)
              .require("no more pairs in flight than there are", [](const P& p) { return p.unroll <= p.coarsening; }),
      .plan = [=](const P& p,
                  const PlanRequest& request) { return block_plan(request, "first_add_on_load", sections(p)); },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth =
          [=](const P& p, const Problem& problem, const Device&) {
            return block_depth(problem, sections(p), 2 * p.coarsening + std::log2(p.block_size));
          },
      .edges = [=](const P& p, const Problem&) { return block_edges(sections(p)); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
  });
}

}  // namespace warpwright::reduce
