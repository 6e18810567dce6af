// Parameter space and launch plan of scan/warp_shuffle.
#include "kernels/scan/warp_shuffle.cuh"

#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

using P = warp_shuffle_params;

block::section_cost cost(const P& p) {
  return register_tile_cost(p.coarsening, p.vector_width);
}

SpaceOf<P> space() {
  return tile_space<P>({32, 64, 128, 256, 512, 1024}, {1, 2, 4, 8, 12, 16, 32});
}

}  // namespace

Kernel warp_shuffle_kernel() {
  return section_kernel<P>("warp_shuffle", space(), cost);
}

}  // namespace warpwright::scan
