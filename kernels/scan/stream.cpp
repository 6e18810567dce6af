// Parameter space and launch plan of scan/stream.
#include "kernels/scan/stream.cuh"

#include "kernels/block/ring_plans.hpp"
#include "kernels/scan/single_pass.hpp"

namespace warpwright::scan {
namespace {

using P = stream_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan made{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() > 0)
    add_ring_launch(made, p, request, request.entry("stream", arguments(problem)),
                    block::ring_threads(block::ring_of(p)), {pointer_to("in"), pointer_to("out")},
                    descriptor_words(problem.type()));
  return made;
}

/// An element is combined within its tile, and with the other blocks' tiles of its round. It is then combined twice in
/// every later round. At the end it is part of the prefix before another tile.
double depth(const P& p, const Problem& problem, const Device& device) {
  const auto blocks = static_cast<double>(std::max<std::int64_t>(ring_blocks(p, problem, device), 1));
  const auto tiles = static_cast<double>(divide_up(problem.elements(), ring_tile(p)));
  const double of_tile = p.coarsening + 5 + 5;
  const double of_round = blocks / 32 + 1 + 5;
  const double rounds = tiles / blocks + 1;
  return of_tile + of_round + 2 * rounds + 2 + register_tile_cost(p.coarsening, p.vector_width).depth;
}

}  // namespace

Kernel stream_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "stream",
      .default_params = {},
      .space = ring_space<P>({4, 8, 16}, {2, 4}),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{ring_tile(p)}; },
      .depth = depth,
      .edges = ring_edges<P>,
      .supports = [](const P&, const Problem&, const Device& device) { return ring_refusal(device); },
      .loads_in_flight = ring_loads_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
