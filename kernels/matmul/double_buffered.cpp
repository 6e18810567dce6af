// Parameter space and launch plan of matmul/double_buffered.
#include "kernels/matmul/double_buffered.cuh"

#include "kernels/matmul/tiled_plans.hpp"

namespace warpwright::matmul {

Kernel double_buffered_kernel() {
  using P = double_buffered_params;
  return make_kernel(register_tiles<P>("double_buffered", tiled_space<P>({.tile_m = {32, 64, 128},
                                                                          .tile_n = {64, 128, 256},
                                                                          .tile_k = {8, 16},
                                                                          .thread_m = {4, 8},
                                                                          .thread_n = {4, 8, 16},
                                                                          .bank_pad = {0, 4},
                                                                          .min_blocks = {1, 2}})
                                                              .axis("vector_width", &P::vector_width, {2, 4})
                                                              .axis("copy_width", &P::copy_width, {1, 2, 4, 8})
                                                              .axis("lanes_n", &P::lanes_n, {4, 8})
                                                              .axis("group_m", &P::group_m, {1, 8})
                                                              .axis("splits", &P::splits, {1, 2, 4, 8})
                                                              .require(kEvenCopies, copies_vectors_evenly<P>)
                                                              .require("shared memory holds two pairs of tiles",
                                                                       [](const P& p, const Surroundings& around) {
                                                                         return fits_shared(p, around, 2,
                                                                                            kMostStaticShared);
                                                                       })));
}

}  // namespace warpwright::matmul
