// Parameter space and launch plan of histogram/tagged.
#include "kernels/histogram/tagged.cuh"

#include "kernels/histogram/copies.hpp"

namespace warpwright::histogram {
namespace {

using P = tagged_params;

std::string refuses(const P& p, const Problem& problem, const Device& device) {
  const std::int64_t blocks = persistent_blocks(problem, device, keys_per_block(p), p.grid_blocks_per_sm);
  // Complete chunks in turn, and part of one more.
  const std::int64_t chunk = keys_per_block(p) / (p.block_size / 32);
  const std::int64_t of_warp = (divide_up(problem.elements(), blocks * keys_per_block(p)) + 1) * chunk;
  return of_warp >> tagged_count_bits == 0 ? "" : "a warp would count 2^27 keys or more";
}

}  // namespace

Kernel tagged_kernel() {
  return copies_kernel<P>(
      "tagged",
      SpaceOf<P>{}
          .axis("block_size", &P::block_size, {64, 128, 256, 512})
          .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4, 8})
          .renamed("coarsening", "loads_in_flight")
          .axis("vector_width", &P::vector_width, {1, 4, 16}),
      [](const P& p) { return p.block_size / 32; }, refuses);
}

}  // namespace warpwright::histogram
