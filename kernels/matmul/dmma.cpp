// Parameter space and launch plan of matmul/dmma.
#include "kernels/matmul/dmma.cuh"

#include "kernels/matmul/matrix_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = dmma_params;

std::string refusal(const Problem& problem, const Device&) {
  return problem.type() == ElementType::f64 ? "" : "multiplies doubles only";
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128})
      .axis("tile_n", &P::tile_n, {64, 128})
      .axis("tile_k", &P::tile_k, {16, 32})
      .axis("warp_m", &P::warp_m, {32, 64})
      .axis("warp_n", &P::warp_n, {16, 32, 64})
      .axis("mma_m", &P::mma_m, {8, 16})
      .axis("mma_k", &P::mma_k, {4, 8, 16})
      .axis("bank_pad", &P::bank_pad, {0, 4})
      .axis("copy_width", &P::copy_width, {1, 2})
      .axis("stages", &P::stages, {2, 3, 4, 5})
      .axis("group_m", &P::group_m, {1, 8})
      .axis("splits", &P::splits, {1, 4})
      .axis("min_blocks", &P::min_blocks, {1, 2})
      .require("an instruction of the architecture", [](const P& p, const Surroundings& around) {
        if (p.mma_m == 8) return p.mma_k == 4;
        return !no_matrix_units(around.device).empty() || around.device.compute_capability >= 90;
      });
  require_matrix_tiles(space, 8, 8, [](const P& p) { return p.mma_k; });
  return space;
}

}  // namespace

Kernel dmma_kernel() {
  return make_kernel(matrix_tiles<P>("dmma", space(), refusal));
}

}  // namespace warpwright::matmul
