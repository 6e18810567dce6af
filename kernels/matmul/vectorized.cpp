// Parameter space and launch plan of matmul/vectorized.
#include "kernels/matmul/vectorized.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {

Kernel vectorized_kernel() {
  using P = vectorized_params;
  return make_kernel(register_tiles<P>(
      "vectorized", tiled_space<P>({.tile_m = {32, 64, 128},
                                    .tile_n = {32, 64, 128},
                                    .tile_k = {8, 16, 32},
                                    .thread_m = {4, 8},
                                    .thread_n = {4, 8},
                                    .bank_pad = {0, 4},
                                    .min_blocks = {1, 2, 3}})
                        .axis("vector_width", &P::vector_width, {2, 4})
                        .axis("lanes_n", &P::lanes_n, {4, 8, 16})
                        .axis("vector_store", &P::vector_store, {false, true})
                        .require(kEvenCopies, copies_vectors_evenly<P>)
                        .require("shared memory holds the tiles", [](const P& p, const Surroundings& around) {
                          return fits_shared(p, around, 1, kMostStaticShared);
                        })));
}

}  // namespace warpwright::matmul
