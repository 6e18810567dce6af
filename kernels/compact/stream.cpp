// Parameter space and launch plan of compact/stream.
#include "kernels/compact/stream.cuh"

#include "kernels/block/ring_plans.hpp"
#include "kernels/compact/plans.hpp"

namespace warpwright::compact {
namespace {

using P = stream_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  add_ring_launch(plan, p, request, request.entry("stream", arguments(problem)), block::ring_threads(block::ring_of(p)),
                  {pointer_to("in"), pointer_to("out"), pointer_to("count")}, 1);
  return plan;
}

}  // namespace

Kernel stream_kernel() {
  return make_kernel<P>({
      .pattern = "compact",
      .name = "stream",
      .default_params = {},
      .space = ring_space<P>({8, 16, 32}, {1, 2, 4}).axis("store", &P::store, store_values()),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{ring_tile(p)}; },
      .edges = ring_edges<P>,
      .supports = [](const P& p, const Problem& problem, const Device& device) -> std::string {
        const std::string other = only<P, operation::select>(p, problem, device);
        return other.empty() ? ring_refusal(device) : other;
      },
      .loads_in_flight = ring_loads_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::compact
