// Parameter space and launch plan of convolution/tiled.
#include "kernels/convolution/tiled.cuh"

#include "kernels/convolution/plans.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::convolution {
namespace {

using P = tiled_params;

int threads(const P& p) {
  return p.tile_x * p.tile_y / p.rows_per_thread;
}

std::int64_t shared_bytes(const P& p, const Problem& problem) {
  return static_cast<std::int64_t>(size_of(problem.type())) *
         halo_pixels(p, static_cast<int>(problem.integer("filter")));
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  plan.steps.push_back(filter_upload(problem));
  plan.steps.push_back(tile_launch(request, "tiled",
                                   {.rows = p.tile_y,
                                    .columns = p.tile_x,
                                    .threads = {.x = static_cast<std::uint32_t>(p.tile_x),
                                                .y = static_cast<std::uint32_t>(p.tile_y / p.rows_per_thread)},
                                    .shared_bytes = shared_bytes(p, problem)},
                                   {"image", "out"}));
  return plan;
}

std::string supports(const P& p, const Problem& problem, const Device& device) {
  if (const std::string reason = too_large_for_constants(problem); !reason.empty()) return reason;
  if (p.unroll == 0 && problem.integer("filter") > widest_unrolled)
    return "unrolls all rows (unroll = 0) for filters up to " + std::to_string(widest_unrolled) + " only";
  return too_much_shared(shared_bytes(p, problem), device);
}

}  // namespace

Kernel tiled_kernel() {
  return make_kernel<P>({
      .pattern = "convolution",
      .name = "tiled",
      .default_params = {},
      .space =
          SpaceOf<P>{}
              .axis("tile_x", &P::tile_x, {16, 32, 64, 128})
              .axis("tile_y", &P::tile_y, {4, 8, 16, 32, 64})
              .axis("rows_per_thread", &P::rows_per_thread, {1, 2, 4, 8, 16})
              .renamed("coarsening", "rows_per_thread")
              .axis("bank_pad", &P::bank_pad, {0, 1})
              .axis("unroll", &P::unroll, {1, 2, 0})
              .require("threads have whole shares of a tile",
                       [](const P& p) { return p.tile_y % p.rows_per_thread == 0; })
              .require("block of 64 to 512 threads", [](const P& p) { return threads(p) >= 64 && threads(p) <= 512; }),
      .plan = plan,
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.tile_y, p.tile_x};
          },
      // Every sum is a chain of fused multiply-adds over the taps.
      .depth = [](const P&, const Problem& problem, const Device&) { return static_cast<double>(taps(problem)); },
      .supports = supports,
      // Pixels of a tile that a thread copies, for a filter of 5.
      .loads_in_flight = [](const P& p) { return static_cast<int>(divide_up(halo_pixels(p, 5), threads(p))); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::convolution
