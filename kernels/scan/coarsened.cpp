// Parameter space and launch plan of scan/coarsened.
#include "kernels/scan/coarsened.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = coarsened_params;

block::section_cost cost(const P& p) {
  return block::coarsened_cost(p.block_size * p.coarsening, p.block_size, p.bank_pad);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {2, 4, 8, 16, 32});
  axes.axis("bank_pad", &P::bank_pad, {0, 1});
  return axes;
}

}  // namespace

Kernel coarsened_kernel() {
  return section_kernel<P>("coarsened", space(), cost);
}

}  // namespace warpwright::scan
