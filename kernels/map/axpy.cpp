// Parameter space and launch plan of map/axpy.
#include "kernels/map/axpy.cuh"

#include <algorithm>

#include "kernels/map/plans.hpp"

namespace warpwright::map {
namespace {

using P = axpy_params;

std::int64_t tile_of(const P& p) {
  return std::int64_t{p.block_size} * p.vectors_per_thread * p.vector_width;
}

Plan plan(const P& p, const PlanRequest& request) {
  std::int64_t blocks = divide_up(request.problem.elements(), tile_of(p));
  if (p.grid_blocks_per_sm > 0) blocks = std::min(blocks, std::int64_t{request.device.sm_count} * p.grid_blocks_per_sm);
  return map_plan(request, "axpy", blocks, p.block_size, {alpha_of(request.problem)});
}

}  // namespace

Kernel axpy_kernel() {
  return make_kernel<P>({
      .pattern = "map",
      .name = "axpy",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("vectors_per_thread", &P::vectors_per_thread, {1, 2, 4, 8})
                   .renamed("coarsening", "vectors_per_thread")
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {0, 1, 2, 4, 8})
                   .axis("load", &P::load, {block::load_hint::plain, block::load_hint::streaming})
                   .renamed_value("load", "read_only", "plain")  // x and y are const __restrict__
                   .axis("store", &P::store, {block::store_hint::plain, block::store_hint::streaming})
                   .require("unroll divides vectors_per_thread",
                            [](const P& p) { return p.vectors_per_thread % p.unroll == 0; })
                   .require("at most 16 bytes an access",
                            [](const P& p, const Surroundings& around) {
                              return p.vector_width * size_of(around.type()) <= 16;
                            })
                   .require("at most 16 elements of either input in flight a thread",
                            [](const P& p) { return p.unroll * p.vector_width <= 16; })
                   .require("at most 2048 threads an SM",
                            [](const P& p) { return p.block_size * p.grid_blocks_per_sm <= 2048; }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{tile_of(p)}; },
      .depth = [](const P&, const Problem&, const Device&) { return 1.0; },
      .supports = [](const P&, const Problem& problem, const Device&) { return refuses_as_axpy(problem); },
      .loads_in_flight = [](const P& p) { return 2 * p.unroll; },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::map
