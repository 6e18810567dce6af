// Parameter space and launch plan of nbody/global.
#include "kernels/nbody/global.cuh"

#include "kernels/nbody/plans.hpp"

namespace warpwright::nbody {

Kernel global_kernel() {
  using P = global_params;
  return make_kernel<P>({
      .pattern = "nbody",
      .name = "global",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("unroll", &P::unroll, {1, 2, 4, 8, 16})
                   .axis("root", &P::root, {root::hardware, root::library})
                   .require("doubles have one root",
                            [](const P& p, const Surroundings& around) {
                              return p.root == root::hardware || around.type() == ElementType::f32;
                            })
                   .require("doubles have registers for their loads",
                            [](const P& p, const Surroundings& around) {
                              return p.block_size <= 512 || p.unroll <= 4 || around.type() == ElementType::f32;
                            }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            return force_plan(request, "global", divide_up(request.problem.shape[0], p.block_size), p.block_size);
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size}; },
      .depth = [](const P&, const Problem& problem,
                  const Device&) { return chain_depth(static_cast<double>(problem.shape[0])); },
      .supports = only_forces<P>,
      .loads_in_flight = [](const P& p) { return p.unroll; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::nbody
