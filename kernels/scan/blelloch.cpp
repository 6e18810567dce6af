// Parameter space and launch plan of scan/blelloch.
#include "kernels/scan/blelloch.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = blelloch_params;

block::section_cost cost(const P& p) {
  return block::blelloch_cost(p.block_size * p.coarsening, p.bank_pad, p.pad_every);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 16});
  axes.axis("bank_pad", &P::bank_pad, {0, 1})
      .axis("pad_every", &P::pad_every, {16, 32})
      .require("without padding there is one distance",
               [](const P& p) { return p.bank_pad != 0 || p.pad_every == 32; });
  return axes;
}

}  // namespace

Kernel blelloch_kernel() {
  return section_kernel<P>("blelloch", space(), cost);
}

}  // namespace warpwright::scan
