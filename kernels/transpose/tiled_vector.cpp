// Parameter space and launch plan of transpose/tiled_vector.
#include "kernels/transpose/tiled_vector.cuh"

#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

Kernel tiled_vector_kernel() {
  using P = tiled_vector_params;
  const auto threads = [](const P& p) { return p.tile_dim * p.tile_dim / (p.vector_width * p.vectors_per_thread); };
  return make_kernel<P>({
      .pattern = "transpose",
      .name = "tiled_vector",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("tile_dim", &P::tile_dim, {32, 64})
                   .axis("vectors_per_thread", &P::vectors_per_thread, {1, 2, 4, 8})
                   .renamed("coarsening", "vectors_per_thread")
                   .axis("vector_width", &P::vector_width, {2, 4})
                   .axis("bank_pad", &P::bank_pad, {0, 1, 2, 4})
                   .axis("order", &P::order, {tile_order::along_rows, tile_order::along_columns})
                   .require("block of 64 to 1024 threads",
                            [=](const P& p) { return threads(p) >= 64 && threads(p) <= 1024; }),
      .plan =
          [=](const P& p, const PlanRequest& request) {
            const auto& shape = request.problem.shape;
            return matrix_plan(request, "tiled_vector",
                               divide_up(shape[0], p.tile_dim) * divide_up(shape[1], p.tile_dim),
                               {.x = static_cast<std::uint32_t>(threads(p))});
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>(2, p.tile_dim); },
      .supports = only_transposes<P>,
      .loads_in_flight = [](const P& p) { return p.vectors_per_thread; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::transpose
