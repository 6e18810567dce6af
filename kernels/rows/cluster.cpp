// Parameter space and launch plan of rows/cluster.
#include "kernels/rows/cluster.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = cluster_params;

std::int64_t most_columns(const P& p) {
  return std::int64_t{p.row_blocks} * p.block_size * p.held * p.vector_width;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  if (device.compute_capability < 90) return "clusters of blocks need sm_90";
  if (problem.shape[1] > most_columns(p)) return "a row does not fit into the registers of its threads";
  return refusal(problem, problem.shape[0] * p.row_blocks, p.vector_width);
}

}  // namespace

Kernel cluster_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "cluster",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512})
                   .axis("row_blocks", &P::row_blocks, {2, 4, 8})
                   .axis("vector_width", &P::vector_width, {1, 2, 4, 8})
                   .axis("held", &P::held, {1, 2, 4, 6, 8, 12, 16, 32})
                   .require(kOneAccess, is_one_access<P>)
                   .require("at most 256 bytes of elements per thread", holds_few<P>),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "cluster",
                            {.blocks = request.problem.shape[0] * p.row_blocks,
                             .block_size = p.block_size,
                             .cluster = p.row_blocks});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, most_columns(p)};
          },
      .depth =
          [](const P& p, const Problem&, const Device&) {
            return depth_of_passes(p.held * p.vector_width) +
                   depth_of_combinations(levels_of(p.block_size) + p.row_blocks);
          },
      .supports = supports,
      .steps = [](const P& p, const Problem& problem) { return steps_of(problem, p.block_size * p.row_blocks); },
      .loads_in_flight = [](const P& p) { return p.held; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
