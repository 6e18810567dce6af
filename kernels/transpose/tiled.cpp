// Parameter space and launch plan of transpose/tiled.
#include "kernels/transpose/tiled.cuh"

#include "kernels/block/former_params.hpp"
#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

Kernel tiled_kernel() {
  using P = tiled_params;
  return make_kernel<P>({
      .pattern = "transpose",
      .name = "tiled",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("tile_dim", &P::tile_dim, {8, 16, 32, 64})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                   .axis("bank_pad", &P::bank_pad, {0, 1, 2})
                   .axis("order", &P::order, {tile_order::along_rows, tile_order::along_columns})
                   .removed("read_only", kAlwaysReadOnly)
                   .require("coarsening divides the tile", [](const P& p) { return p.tile_dim % p.coarsening == 0; })
                   .require("block of 32 to 1024 threads",
                            [](const P& p) {
                              const int threads = p.tile_dim * p.tile_dim / p.coarsening;
                              return threads >= 32 && threads <= 1024;
                            }),
      .plan =
          [](const P& p, const PlanRequest& request) {
            const auto& shape = request.problem.shape;
            return matrix_plan(request, "tiled", divide_up(shape[0], p.tile_dim) * divide_up(shape[1], p.tile_dim),
                               {.x = static_cast<std::uint32_t>(p.tile_dim),
                                .y = static_cast<std::uint32_t>(p.tile_dim / p.coarsening)});
          },
      .tile = [](const P& p) { return std::vector<std::int64_t>(2, p.tile_dim); },
      .supports = only_transposes<P>,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::transpose
