// Parameter space and launch plan of sort/quicksort.
#include "kernels/sort/quicksort.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = quicksort_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    plan.buffers.push_back(scratch("spare", problem.type(), n));
    plan.buffers.push_back(scratch("spare_values", ElementType::u32, has_values(problem) ? n : 0));
    const std::string type(name_of(problem.type()));
    plan.steps.push_back(
        {.what = launch_tiles(request.entry("quicksort", {type, pairs_text(problem)}), 1, p.block_size,
                              {pointer_to("in"), pointer_to("values"), pointer_to("out"), pointer_to("values_out"),
                               pointer_to("spare"), pointer_to("spare_values"), range_argument(problem),
                               value(std::int64_t{0}), value(n), value(0), value(0)})});
  });
}

/// Every split reads a key twice, and a leaf compares it with every other key.
double steps(const P& p, const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const double leaf = std::max(std::min(n, static_cast<double>(p.leaf)), 1.0);
  return n * (leaf + 4 * std::ceil(std::log2(std::max(n / leaf, 2.0))));
}

}  // namespace

Kernel quicksort_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "quicksort",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("leaf", &P::leaf, {32, 64, 128, 256, 512})
                   .axis("depth", &P::depth, {0, 4, 8, 16, 24})
                   .axis("stream", &P::stream, {child_stream::own, child_stream::fire_and_forget, child_stream::tail})
                   .require("without children there is no choice of their stream",
                            [](const P& p) { return p.depth > 0 || p.stream == child_stream::own; }),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = [](const P& p, const Problem&) -> std::vector<std::vector<std::int64_t>> {
        return {{p.leaf}, {p.leaf + 1}, {2 * p.leaf + 1}};
      },
      .steps = steps,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
