// The space and plan of histogram/global_atomic.
#include "kernels/histogram/global_atomic.cuh"

#include "kernels/histogram/plans.hpp"

namespace warpwright::histogram {
namespace {

using P = global_atomic_params;

Plan plan(const P& p, const PlanRequest& request) {
  return counting_plan(
      request, {.function = "global_atomic",
                .blocks = persistent_blocks(request.problem, request.device, keys_per_block(p), p.grid_blocks_per_sm),
                .block_size = p.block_size});
}

SpaceOf<P> space() {
  SpaceOf<P> made;
  made.axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
      .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
      .axis("vector_width", &P::vector_width, {1, 2, 4, 8, 16})
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16, 32})
      .require("1024 to 4096 threads launched an SM", [](const P& p) {
        const int threads = p.block_size * p.grid_blocks_per_sm;
        return threads >= 1024 && threads <= 4096;
      });
  return binned::with_rules_of_loads(made);
}

}  // namespace

Kernel global_atomic_kernel() {
  return make_kernel<P>({
      .pattern = "histogram",
      .name = "global_atomic",
      .default_params = {},
      .space = space(),
      .plan = plan,
      .tile = tile_of<P>,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::histogram
