// Parameter space and launch plan of histogram/thread_private_64.
#include "kernels/histogram/thread_private_64.cuh"

#include "kernels/histogram/plans.hpp"

namespace warpwright::histogram {
namespace {

using P = thread_private_64_params;

/// Whether byte counters hold the keys between two flushes: complete groups of vectors, and one more group key by key.
bool bytes_hold(const P& p) {
  return (p.chunks_per_flush + 1) * p.loads_in_flight * p.vector_width <= 255;
}

std::int64_t per_block(const P& p) {
  return keys_per_flush(p);
}

SpaceOf<P> space() {
  SpaceOf<P> made;
  made.axis("block_size", &P::block_size, {64, 128, 256})
      .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4})
      .renamed("coarsening", "loads_in_flight")
      .axis("vector_width", &P::vector_width, {1, 4, 16})
      .axis("chunks_per_flush", &P::chunks_per_flush, {2, 6, 14, 62})
      .axis("bytes", &P::bytes, {bytes::thread_major, bytes::bin_major, bytes::shuffled})
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {4, 8, 16})
      .axis("finish", &P::finish, finishes())
      .require("a byte holds what a thread counts between flushes", bytes_hold);
  return with_rules_of_blocks(made);
}

}  // namespace

Kernel thread_private_64_kernel() {
  return counting_kernel<P>({.name = "thread_private_64",
                             .space = space(),
                             .per_block = per_block,
                             .supports = [](const P&, const Problem& problem, const Device&) -> std::string {
                               return problem.integer("bins") <= 64 ? "" : "needs at most 64 bins";
                             }});
}

}  // namespace warpwright::histogram
