// Parameter space and launch plan of convolution/global.
#include "kernels/convolution/global.cuh"

#include "kernels/block/former_params.hpp"
#include "kernels/convolution/plans.hpp"

namespace warpwright::convolution {
namespace {

using P = global_params;

BlockTile tile_of(const P& p) {
  return {.rows = std::int64_t{p.block_y} * p.rows_per_thread,
          .columns = p.block_x,
          .threads = {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)}};
}

Plan plan(const P& p, const PlanRequest& request) {
  Plan plan{.buffers = buffers(request.problem), .steps = {}};
  if (request.problem.elements() > 0)
    plan.steps.push_back(tile_launch(request, "global", tile_of(p), {"image", "filter", "out"}));
  return plan;
}

}  // namespace

Kernel global_kernel() {
  return make_kernel<P>({
      .pattern = "convolution",
      .name = "global",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {16, 32, 64, 128, 256})
                   .axis("block_y", &P::block_y, {1, 2, 4, 8, 16})
                   .axis("rows_per_thread", &P::rows_per_thread, {1, 2, 4, 8})
                   .renamed("coarsening", "rows_per_thread")
                   .axis("unroll", &P::unroll, {1, 3, 5})
                   .removed("read_only", kAlwaysReadOnly)
                   .require("block of 64 to 256 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 256; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{tile_of(p).rows, tile_of(p).columns};
          },
      // Every sum is a chain of fused multiply-adds over the taps.
      .depth = [](const P&, const Problem& problem, const Device&) { return static_cast<double>(taps(problem)); },
      .loads_in_flight = [](const P& p) { return p.rows_per_thread * p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::convolution
