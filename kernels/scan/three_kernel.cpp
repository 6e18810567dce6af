// Parameter space and launch plan of scan/three_kernel.
#include "kernels/scan/three_kernel.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = three_kernel_params;

block::section_cost cost(const P& p) {
  return three_kernel_cost(p);
}

SpaceOf<P> space() {
  auto axes = tile_space<P>({128, 256, 512, 1024}, {2, 4, 8, 16});
  axes.axis("block_scan", &P::block_scan,
            {block_scan::warp_shuffle, block_scan::coarsened, block_scan::kogge_stone, block_scan::brent_kung,
             block_scan::blelloch})
      .axis("bank_pad", &P::bank_pad, {0, 1})
      .require("padding is for sections with trees or rows", [](const P& p) {
        return p.bank_pad == 0 || (p.block_scan != block_scan::warp_shuffle && p.block_scan != block_scan::kogge_stone);
      });
  axes.implied("first_pass", "totals",
               "it always combines the tiles first; warp_shuffle, coarsened, kogge_stone, brent_kung and blelloch scan "
               "them first");
  return axes;
}

}  // namespace

Kernel three_kernel_kernel() {
  return section_kernel<P>("three_kernel", space(), cost, true);
}

}  // namespace warpwright::scan
