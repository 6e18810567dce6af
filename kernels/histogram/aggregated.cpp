// Parameter space and launch plan of histogram/aggregated.
#include "kernels/histogram/aggregated.cuh"

#include "kernels/histogram/plans.hpp"

namespace warpwright::histogram {
namespace {

using P = aggregated_params;

std::int64_t shared_bytes(const P& p, const Problem& problem) {
  return p.into == into::shared ? 4 * problem.integer("bins") : 0;
}

SpaceOf<P> space() {
  SpaceOf<P> made;
  made.axis("block_size", &P::block_size, {128, 256, 512})
      .axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4})
      .renamed("coarsening", "loads_in_flight")
      .axis("vector_width", &P::vector_width, {1, 4, 16})
      .axis("match", &P::match, {match::any, match::ballots, match::rounds})
      .axis("into", &P::into, {into::shared, into::global})
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {2, 4, 8, 16})
      .axis("finish", &P::finish, finishes())
      .require("what is added to the result needs no merge",
               [](const P& p) { return p.into == into::shared || p.finish == finish::atomic; });
  return with_rules_of_blocks(made);
}

}  // namespace

Kernel aggregated_kernel() {
  return counting_kernel<P>({.name = "aggregated", .space = space(), .shared_bytes = shared_bytes});
}

}  // namespace warpwright::histogram
