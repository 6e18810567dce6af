// The space and plan of reduce/warp_shuffle.
#include "kernels/reduce/warp_shuffle.cuh"

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {

Kernel warp_shuffle_kernel() {
  using P = warp_shuffle_params;
  const auto per_block = [](const P& p) { return std::int64_t{p.block_size} * p.coarsening * p.vector_width; };
  const auto sections = [=](const P& p) { return Sections{p.finish, per_block(p), p.block_size}; };
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "warp_shuffle",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
              .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
              .axis("vector_width", &P::vector_width, {1, 2, 4})
              .axis("finish", &P::finish, finishes)
              .require("at most 16 elements a thread", [](const P& p) { return p.coarsening * p.vector_width <= 16; }),
      .plan = [=](const P& p, const PlanRequest& request) { return block_plan(request, "warp_shuffle", sections(p)); },
      .tile = [=](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth =
          [=](const P& p, const Problem& problem, const Device&) {
            constexpr double kShuffles = 10;
            return block_depth(problem, sections(p), p.coarsening * p.vector_width + kShuffles);
          },
      .edges = [=](const P& p, const Problem&) { return block_edges(sections(p)); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = [](const P& p, const Problem& problem) { return is_deterministic(p.finish, problem); },
  });
}

}  // namespace warpwright::reduce
