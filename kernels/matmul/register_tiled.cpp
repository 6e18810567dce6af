// Parameter space and launch plan of matmul/register_tiled.
#include "kernels/matmul/register_tiled.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {

Kernel register_tiled_kernel() {
  using P = register_tiled_params;
  return make_kernel(register_tiles<P>(
      "register_tiled", tiled_space<P>({.tile_m = {32, 64, 128},
                                        .tile_n = {32, 64, 128},
                                        .tile_k = {8, 16, 32},
                                        .thread_m = {2, 4, 8},
                                        .thread_n = {2, 4, 8},
                                        .bank_pad = {0, 1, 4},
                                        .min_blocks = {1, 2, 3}})
                            .require(kEvenCopies, copies_vectors_evenly<P>)
                            .require("shared memory holds the tiles", [](const P& p, const Surroundings& around) {
                              return fits_shared(p, around, 1, kMostStaticShared);
                            })));
}

}  // namespace warpwright::matmul
