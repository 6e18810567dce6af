// Parameter space and launch plan of matmul/split_mma.
#include "kernels/matmul/split_mma.cuh"

#include <string>
#include <utility>

#include "kernels/matmul/matrix_plans.hpp"
#include "kernels/matmul/split_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = split_mma_params;

constexpr int kCopyWidth = 8;

/// Splits A and B, multiplies their planes, and multiplies A and B themselves if they cannot be split.
Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan =
      tiled_plan(p, request, "split_mma",
                 static_cast<std::uint32_t>(kPlanes * stage_bytes(p, is_transposed(problem), kPlaneElementBytes)));
  if (plan.steps.empty()) return plan;
  const extents e = extents_of(problem);
  const extents tiles = padded_extents(p, problem, p.tile_k);
  constexpr int kTogether = 4;
  const auto split = [&](const std::string& of, const plane_extents& planes) {
    return split_step("warpwright::matmul::split_planes<" + std::to_string(kTogether) + ">", of, planes,
                      divide_up(planes.padded_rows * planes.padded_columns, kTogether * 256));
  };
  return split_product_plan(std::move(plan), request, tiles, split("a", {e.m, e.k, e.lda, tiles.m, tiles.k}),
                            split("b", is_transposed(problem) ? plane_extents{e.n, e.k, e.ldb, tiles.n, tiles.k}
                                                              : plane_extents{e.k, e.n, e.ldb, tiles.k, tiles.n}),
                            p.tile_k);
}

double depth(const P& p, const Problem& problem, const Device&) {
  return split_depth(problem, p.tile_k);
}

/// For the sums, those of a step, two sets of fragments, and the rest.
int registers_of_lane(const P& p) {
  constexpr int kBeside = 24;
  const int rows = p.warp_m / 16, parts = p.tile_k / 16;
  return p.warp_m * p.warp_n / 32 + rows * 8 + 2 * kPlanes * parts * 4 * (rows + 1) + kBeside;
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128})
      .axis("tile_n", &P::tile_n, {64, 128})
      .axis("tile_k", &P::tile_k, {16, 32})
      .axis("warp_m", &P::warp_m, {32, 64})
      .axis("warp_n", &P::warp_n, {32, 64})
      .axis("bank_pad", &P::bank_pad, {0, 8})
      .axis("stages", &P::stages, {2, 3, 4, 5, 6})
      .axis("group_m", &P::group_m, {1, 8})
      .axis("min_blocks", &P::min_blocks, {1, 2})
      .require("whole parts of the tile for 2 to 16 warps", splits_into_warps<P>)
      .require(kEvenCopies, [](const P& p) { return copies_evenly(p, kCopyWidth, kCopyWidth, kCopyWidth); })
      .require("registers for the sums", [](const P& p) { return registers_of_lane(p) <= most_registers(p); })
      .require("shared memory holds the stages", [](const P& p, const Surroundings& around) {
        constexpr int kBarriers = 16;  // bytes of those of a stage
        return holds_stages(p, kPlanes * kPlaneElementBytes, around.device, p.stages * kBarriers);
      });
  return space;
}

/// Those of the tiles, and of the fallback.
double steps(const P& p, const Problem& problem) {
  const auto terms = static_cast<double>(problem.shape[2]);
  return tiled_steps(p, problem) + static_cast<double>(problem.elements()) * (2 * terms + 2);
}

}  // namespace

Kernel split_mma_kernel() {
  auto kernel = matrix_tiles<P>("split_mma", space(), refuses_all_but_floats);
  kernel.plan = plan;
  kernel.depth = depth;
  kernel.steps = steps;
  kernel.loads_in_flight = [](const P& p) { return loads_of_a_step(p) / kCopyWidth * kPlanes * (p.stages - 1); };
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
