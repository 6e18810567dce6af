// Parameter space and launch plan of histogram/block_private.
#include "kernels/histogram/block_private.cuh"

#include "kernels/histogram/copies.hpp"

namespace warpwright::histogram {

Kernel block_private_kernel() {
  using P = block_private_params;
  return copies_kernel<P>("block_private",
                          SpaceOf<P>{}
                              .axis("block_size", &P::block_size, {256, 512, 1024})
                              .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4, 8})
                              .renamed("coarsening", "loads_in_flight")
                              .axis("vector_width", &P::vector_width, {1, 4, 16})
                              .axis("loads_ahead", &P::loads_ahead, {false, true})
                              .axis("copies", &P::copies, {1, 4, 8, 16, 32}),
                          [](const P& p) { return p.copies; });
}

}  // namespace warpwright::histogram
