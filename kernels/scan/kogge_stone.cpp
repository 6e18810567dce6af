// Parameter space and launch plan of scan/kogge_stone.
#include "kernels/scan/kogge_stone.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = kogge_stone_params;

block::section_cost cost(const P& p) {
  const int size = p.block_size * p.coarsening;
  return p.buffering == buffering::temporary ? block::kogge_stone_cost(size) : block::hillis_steele_cost(size);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 16});
  axes.axis("buffering", &P::buffering, {buffering::temporary, buffering::double_buffer});
  return axes;
}

}  // namespace

Kernel kogge_stone_kernel() {
  return section_kernel<P>("kogge_stone", space(), cost);
}

}  // namespace warpwright::scan
