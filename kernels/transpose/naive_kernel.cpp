// The parameter space and plan of transposes without shared memory.
#include "kernels/block/former_params.hpp"
#include "kernels/transpose/naive.cuh"
#include "kernels/transpose/naive.hpp"
#include "kernels/transpose/plans.hpp"

namespace warpwright::transpose {

Kernel naive_kernel(const std::string& name, std::size_t slow, std::size_t fast) {
  using P = naive_params;
  return make_kernel<P>({
      .pattern = "transpose",
      .name = name,
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_x", &P::block_x, {8, 16, 32, 64})
                   .axis("block_y", &P::block_y, {4, 8, 16, 32})
                   .axis("coarsening", &P::coarsening, {1, 2, 4})
                   .removed("read_only", kAlwaysReadOnly)
                   .require("block of 64 to 1024 threads",
                            [](const P& p) { return p.block_x * p.block_y >= 64 && p.block_x * p.block_y <= 1024; }),
      .plan =
          [=](const P& p, const PlanRequest& request) {
            const auto& shape = request.problem.shape;
            return matrix_plan(
                request, name, divide_up(shape[fast], p.block_x) * divide_up(shape[slow], p.block_y * p.coarsening),
                {.x = static_cast<std::uint32_t>(p.block_x), .y = static_cast<std::uint32_t>(p.block_y)});
          },
      .tile =
          [=](const P& p) {
            std::vector<std::int64_t> tile(2);
            tile[fast] = p.block_x;
            tile[slow] = std::int64_t{p.block_y} * p.coarsening;
            return tile;
          },
      .supports = only_transposes<P>,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::transpose
