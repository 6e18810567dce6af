// Parameter space and launch plan of scan/brent_kung.
#include "kernels/scan/brent_kung.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = brent_kung_params;

block::section_cost cost(const P& p) {
  return block::brent_kung_cost(p.block_size * p.coarsening, p.bank_pad);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 16});
  axes.axis("mapping", &P::mapping, {block::mapping::modulo, block::mapping::contiguous})
      .axis("bank_pad", &P::bank_pad, {0, 1});
  return axes;
}

}  // namespace

Kernel brent_kung_kernel() {
  return section_kernel<P>("brent_kung", space(), cost);
}

}  // namespace warpwright::scan
