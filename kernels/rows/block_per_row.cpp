// Parameter space and launch plan of rows/block_per_row.
#include "kernels/rows/block_per_row.cuh"

#include "kernels/rows/plans.hpp"

namespace warpwright::rows {
namespace {

using P = block_per_row_params;

std::int64_t kept_bytes(const P& p, const Problem& problem) {
  return p.keep ? problem.shape[1] * std::int64_t{sizeof(float)} : 0;
}

}  // namespace

Kernel block_per_row_kernel() {
  return make_kernel<P>({
      .pattern = "rows",
      .name = "block_per_row",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .axis("keep", &P::keep, {false, true}),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return row_plan(request, "block_per_row",
                            {.blocks = request.problem.shape[0],
                             .block_size = p.block_size,
                             .shared_bytes = kept_bytes(p, request.problem)});
          },
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{1, p.block_size};
          },
      .depth =
          [](const P& p, const Problem& problem, const Device&) {
            return depth_of_passes(
                static_cast<double>(divide_up(problem.shape[1], p.block_size) + levels_of(p.block_size)));
          },
      .supports = [](const P& p, const Problem& problem, const Device& device) -> std::string {
        constexpr std::int64_t kOfWarps = 128;  // bytes of static shared memory
        if (kept_bytes(p, problem) + kOfWarps > device.shared_per_block_optin)
          return "a row does not fit into shared memory";
        return refusal(problem, problem.shape[0]);
      },
      .steps = [](const P& p, const Problem& problem) { return steps_of(problem, p.block_size); },
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::rows
