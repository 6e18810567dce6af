// The space and plan of scan/stream.
#include "kernels/scan/stream.cuh"

#include <algorithm>

#include "kernels/scan/single_pass.hpp"

namespace warpwright::scan {
namespace {

using P = stream_params;

constexpr int kNeeds = 90;

/// The ring, and what the warps of a block tell each other.
bool fits_ring(const P& p, const Surroundings& around) {
  const int board = p.stages * (p.compute_warps + 2 + 4 * 2);
  return around.device.compute_capability < kNeeds || fits_shared(p.stages * stream_tile(p) + board, 1, around);
}

std::int64_t tiles_of(const P& p, const Problem& problem) {
  return divide_up(problem.elements(), stream_tile(p));
}

std::int64_t grid_blocks(const P& p, const Problem& problem, const Device& device) {
  return std::min<std::int64_t>(tiles_of(p, problem), device.sm_count);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan made{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return made;
  const int ring = p.stages * stream_tile(p) * static_cast<int>(size_of(problem.type()));
  made.buffers.push_back({.name = "descriptors",
                          .role = Role::scratch,
                          .type = ElementType::u64,
                          .count = tiles_of(p, problem) * descriptor_words(problem.type()),
                          .self_restoring = true});
  made.buffers.push_back(
      {.name = "departed", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});
  made.steps.push_back(
      {.what = Launch{.entry = request.entry("stream", arguments(problem)),
                      .grid = {.x = static_cast<std::uint32_t>(grid_blocks(p, problem, request.device))},
                      .block = {.x = static_cast<std::uint32_t>(stream_threads(p))},
                      .shared_bytes = static_cast<std::uint32_t>(ring),
                      .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("descriptors"),
                                    pointer_to("departed"), value(problem.elements())},
                      .cooperative = true}});
  if (p.restore == restore::memset) zero_descriptors_first(made);
  return made;
}

/// An element's tile and what other blocks have in a round are combined, and two more combinations are made in every
/// round; then it is part of what lies before another tile.
double depth(const P& p, const Problem& problem, const Device& device) {
  const auto blocks = static_cast<double>(std::max<std::int64_t>(grid_blocks(p, problem, device), 1));
  const double of_tile = p.coarsening + 5 + 5;
  const double of_round = blocks / 32 + 1 + 5;
  const double rounds = static_cast<double>(tiles_of(p, problem)) / blocks + 1;
  return of_tile + of_round + 2 * rounds + 2 + register_tile_cost(p.coarsening, p.vector_width).depth;
}

/// Rounds in which the ring goes round, on few multiprocessors and on one, and the last of them begun.
std::vector<std::vector<std::int64_t>> edges(const P& p, const Problem&) {
  const std::int64_t tile = stream_tile(p);
  return {{(p.stages + 1) * tile}, {(3 * p.stages + 1) * tile}, {3 * (p.stages + p.delay) * tile + 1}};
}

}  // namespace

Kernel stream_kernel() {
  return make_kernel<P>({
      .pattern = "scan",
      .name = "stream",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("compute_warps", &P::compute_warps, {4, 8, 16})
                   .axis("look_back_warps", &P::look_back_warps, {1, 2, 4})
                   .axis("coarsening", &P::coarsening, {4, 8, 16})
                   .axis("vector_width", &P::vector_width, {2, 4})
                   .axis("stages", &P::stages, {3, 4, 5, 6, 7, 8})
                   .axis("delay", &P::delay, {1, 2, 3, 4, 5, 6})
                   .axis("restore", &P::restore,
                         {{restore::memset, "warpwright::scan::restore::memset"},
                          {restore::last_block, "warpwright::scan::restore::last_block"}})
                   .require("two stages more than the delay", [](const P& p) { return p.delay + 2 <= p.stages; })
                   .require("shared memory holds the ring", fits_ring),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{stream_tile(p)}; },
      .depth = depth,
      .edges = edges,
      .supports = [](const P&, const Problem&, const Device& device) -> std::string {
        return device.compute_capability >= kNeeds ? "" : "bulk copies that complete a phase need sm_90";
      },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width * (p.stages - p.delay); },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan
