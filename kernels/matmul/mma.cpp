// Parameter space and launch plan of matmul/mma.
#include "kernels/matmul/mma.cuh"

#include "kernels/matmul/matrix_plans.hpp"

namespace warpwright::matmul {
namespace {

using P = mma_params;

P counted(const P& p, ElementType type) {
  return for_elements_of(p, static_cast<int>(size_of(type)));
}

std::string refusal(const Problem& problem, const Device& device) {
  constexpr int kFloat8 = 89;
  if (!has_short_elements(problem)) return "multiplies elements of 8 and 16 bits and TF32 only";
  const bool lacks_float8 = problem.type() == ElementType::e4m3 && device.compute_capability < kFloat8;
  return lacks_float8 ? "products of 8-bit floats need sm_89" : "";
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
  require_matrix_tiles(
      space, 2, 4, [](const P&) { return 16; }, counted);
  return space;
}

/// Roundings of a sum: parts are added one after another, and each part by matrix units.
double depth(const P& p, const Problem& problem, const Device& device) {
  constexpr int kApart = 32;  // terms of 8-bit floats that are summed apart
  const double chain = tiled_depth(counted(p, problem.type()), problem, device) - chain_depth(0);
  return problem.type() == ElementType::e4m3 ? float8_depth(chain, kApart) : matrix_unit_depth(chain);
}

}  // namespace

Kernel mma_kernel() {
  auto kernel = matrix_tiles<P>("mma", space(), refusal, counted);
  kernel.depth = depth;
  return make_kernel(std::move(kernel));
}

}  // namespace warpwright::matmul
