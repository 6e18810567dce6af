// Parameter space and launch plan of richardson/tiled.
#include "kernels/richardson/tiled.cuh"

#include "kernels/richardson/warp_plans.hpp"

namespace warpwright::richardson {
namespace {

using P = tiled_params;

/// Bytes of shared memory that a block may have without opting in to more.
constexpr std::int64_t kMostStaticShared = 49152;

std::int64_t lane_chain(const P& p, const Problem& problem) {
  const std::int64_t rows = problem.shape[0];
  return divide_up(rows, p.tile) * lane_terms(p, std::min<std::int64_t>(p.tile, rows));
}

std::string supports(const P&, const Problem& problem, const Device&) {
  if (is_sparse(problem)) return "keeps tiles of x for rows of a dense matrix";
  return too_large(problem);
}

}  // namespace

Kernel tiled_kernel() {
  return make_kernel<P>({
      .pattern = "richardson",
      .name = "tiled",
      .default_params = {},
      .space = with_warp_axes(SpaceOf<P>{}
                                  .axis("block_size", &P::block_size, {64, 128, 256, 512})
                                  .axis("tile", &P::tile, {256, 1024, 4096, 8192})
                                  .require("shared memory holds the tile",
                                           [](const P& p, const Surroundings& around) {
                                             return static_cast<std::int64_t>(size_of(around.type())) * p.tile <=
                                                    kMostStaticShared;
                                           })),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return sweeps_plan(request, "tiled", divide_up(request.problem.shape[0], block_rows(p)), p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{block_rows(p)}; },
      .depth = [](const P& p, const Problem& problem,
                  const Device&) { return sweep_depth(problem, lane_chain(p, problem) + kWarpLevels); },
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{{p.tile - 1}, {p.tile}, {p.tile + 1}};
          },
      .supports = supports,
      .loads_in_flight = [](const P& p) { return p.rows_per_warp * p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::richardson
