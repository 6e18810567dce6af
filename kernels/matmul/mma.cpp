// Parameter space and launch plan of matmul/mma.
#include "kernels/matmul/mma.cuh"

#include "kernels/matmul/matrix_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = mma_params;

std::string refusal(const Problem& problem) {
  return has_halves(problem) ? "" : "multiplies 16-bit elements only";
}

SpaceOf<P> space() {
  SpaceOf<P> space;
  space.axis("tile_m", &P::tile_m, {64, 128, 256})
      .axis("tile_n", &P::tile_n, {64, 128, 256})
      .axis("tile_k", &P::tile_k, {32, 64})
      .axis("warp_m", &P::warp_m, {32, 64})
      .axis("warp_n", &P::warp_n, {32, 64})
      .axis("bank_pad", &P::bank_pad, {0, 8})
      .axis("copy_width", &P::copy_width, {2, 4, 8})
      .axis("stages", &P::stages, {2, 3, 4, 5})
      .axis("group_m", &P::group_m, {1, 8})
      .axis("splits", &P::splits, {1, 4})
      .axis("min_blocks", &P::min_blocks, {1, 2});
  require_matrix_tiles(space, 2, 4, [](const P&) { return 16; });
  return space;
}

/// Roundings of a sum: parts are added one after another, and each part by matrix units.
double depth(const P& p, const Problem& problem, const Device& device) {
  return matrix_unit_depth(tiled_depth(p, problem, device) - chain_depth(0));
}

}  // namespace

Kernel mma_kernel() {
  auto kernel = matrix_tiles<P>("mma", space(), refusal);
  kernel.depth = depth;
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
