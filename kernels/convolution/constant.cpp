// Parameter space and launch plan of convolution/constant.
#include "kernels/convolution/constant.cuh"

#include "kernels/block/former_params.hpp"
#include "kernels/convolution/plans.hpp"

namespace warpwright::convolution {
namespace {

using P = constant_params;

BlockTile tile_of(const P& p) {
  return {.rows = std::int64_t{p.block_y} * p.rows_per_thread,
          .columns = std::int64_t{p.block_x} * p.vector_width,
          .threads = {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)}};
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  plan.steps.push_back(filter_upload(problem));
  plan.steps.push_back(tile_launch(request, "constant", tile_of(p), {"image", "out"}));
  return plan;
}

std::string supports(const P& p, const Problem& problem, const Device&) {
  const std::int64_t filter = problem.integer("filter");
  if (const std::string reason = too_large_for_constants(problem); !reason.empty()) return reason;
  if (p.unroll == 0 && filter > widest_row)
    return "unrolls all steps (unroll = 0) for filters up to " + std::to_string(widest_row) + " only";
  return {};
}

/// Vectors of one image row for a filter of 5.
int loads_in_flight(const P& p) {
  return 2 * static_cast<int>(divide_up(2, p.vector_width)) + 1;
}

}  // namespace

Kernel constant_kernel() {
  return make_kernel<P>({
      .pattern = "convolution",
      .name = "constant",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {32, 64, 128})
                   .axis("block_y", &P::block_y, {1, 2, 4, 8})
                   .axis("rows_per_thread", &P::rows_per_thread, {1, 2, 4, 8, 16})
                   .renamed("coarsening", "rows_per_thread")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("unroll", &P::unroll, {1, 4, 0})
                   .removed("read_only", kAlwaysReadOnly)
                   .require("block of 64 to 256 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 256; })
                   .require("at most 128 bytes of sums a thread",
                            [](const P& p, const Surroundings& around) {
                              return p.rows_per_thread * p.vector_width * static_cast<int>(size_of(around.type())) <=
                                     128;
                            }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{tile_of(p).rows, tile_of(p).columns};
          },
      // Every sum is a chain of fused multiply-adds over the taps.
      .depth = [](const P&, const Problem& problem, const Device&) { return static_cast<double>(taps(problem)); },
      .supports = supports,
      .loads_in_flight = loads_in_flight,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::convolution
