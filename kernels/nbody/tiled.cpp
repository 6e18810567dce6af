// Parameter space and launch plan of nbody/tiled.
#include "kernels/nbody/tiled.cuh"

#include "kernels/nbody/plans.hpp"

namespace warpwright::nbody {

Kernel tiled_kernel() {
  using P = tiled_params;
  return make_kernel<P>({
      .pattern = "nbody",
      .name = "tiled",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("tile", &P::tile, {32, 64, 128, 256, 512, 1024})
                   .axis("unroll", &P::unroll, {1, 4, 8, 16, 32})
                   .require("doubles have registers for their loads",
                            [](const P& p, const Surroundings& around) {
                              return p.block_size <= 512 || p.unroll <= 4 || around.type() == ElementType::f32;
                            }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return force_plan(request, "tiled", divide_up(request.problem.shape[0], p.block_size), p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return chain_depth(static_cast<double>(problem.shape[0])); },
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{{p.tile}, {p.tile + 1}};
          },
      .supports = only_forces<P>,
      .steps =
          [](const P& p, const Problem& problem) {
            const auto threads = static_cast<double>(divide_up(problem.shape[0], p.block_size) * p.block_size);
            return threads * static_cast<double>(divide_up(problem.shape[0], p.tile) * p.tile);
          },
      .loads_in_flight = [](const P& p) { return static_cast<int>(divide_up(p.tile, p.block_size)); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::nbody
