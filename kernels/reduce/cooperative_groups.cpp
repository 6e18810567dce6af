// Parameter space and launch plan of reduce/cooperative_groups.
#include "kernels/reduce/cooperative_groups.cuh"

#include <cmath>

#include "kernels/reduce/plans.hpp"

namespace warpwright::reduce {
namespace {

using P = cooperative_groups_params;

std::int64_t per_block(const P& p) {
  return std::int64_t{p.block_size} * p.loads_in_flight * p.vector_width;
}

std::int64_t grid_blocks(const P& p, const Problem& problem, const Device& device) {
  return persistent_blocks(problem, device, per_block(p), p.grid_blocks_per_sm);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  if (problem.elements() == 0) return empty_plan(problem);
  const std::int64_t blocks = grid_blocks(p, problem, request.device);
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers.push_back({.name = "partials", .role = Role::scratch, .type = problem.type(), .count = blocks});
  plan.buffers.push_back({.name = "arrived", .role = Role::scratch, .type = ElementType::u32, .count = 1});
  plan.steps.push_back({.what = Memset{.buffer = "arrived", .count = 1, .value = value(0U)}});
  plan.steps.push_back(
      {.what = Launch{
           .entry = request.entry("cooperative_groups", {std::string(name_of(problem.type())), operator_name(problem)}),
           .grid = {.x = static_cast<std::uint32_t>(blocks)},
           .block = {.x = static_cast<std::uint32_t>(p.block_size)},
           .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("partials"), pointer_to("arrived"),
                         value(problem.elements())},
           .cooperative = true}});
  return plan;
}

double depth(const P& p, const Problem& problem, const Device& device) {
  const double per_tile = std::log2(p.tile_size);
  const double by_tiles = std::ceil(std::log2(p.block_size) / per_tile) * per_tile;
  const auto blocks = static_cast<double>(grid_blocks(p, problem, device));
  const double per_thread = static_cast<double>(problem.elements()) / (blocks * p.block_size) + p.vector_width + 1;
  return per_thread + by_tiles + blocks / p.block_size + 1 + by_tiles;
}

}  // namespace

Kernel cooperative_groups_kernel() {
  // Every board since sm_75 holds 1024 threads with 64 registers per SM, and the launch bounds limit the registers, so
  // the grid is always resident.
  return make_kernel<P>({
      .pattern = "reduce",
      .name = "cooperative_groups",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 512, 1024})
                   .axis("loads_in_flight", &P::loads_in_flight, {2, 4})
                   .renamed("coarsening", "loads_in_flight")
                   .axis("vector_width", &P::vector_width, {1, 4})
                   .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8})
                   .axis("tile_size", &P::tile_size, {4, 8, 16, 32})
                   .require("512 to 1024 threads an SM",
                            [](const P& p) {
                              const int threads = p.block_size * p.grid_blocks_per_sm;
                              return threads >= 512 && threads <= 1024;
                            }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{per_block(p)}; },
      .depth = depth,
      .loads_in_flight = [](const P& p) { return p.loads_in_flight; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::reduce
