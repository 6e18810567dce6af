// Parameter space and launch plan of lennard_jones/scale_velocity.
#include "kernels/lennard_jones/scale_velocity.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = scale_velocity_params;

std::int64_t blocks_of(const P& p, const Problem& problem) {
  return std::min<std::int64_t>(p.sums, divide_up(3 * problem.shape[0], p.block_size));
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::string type(name_of(problem.type()));
  const std::int64_t coordinates = 3 * problem.shape[0];
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (coordinates == 0) return plan;
  const std::int64_t blocks = blocks_of(p, problem);
  plan.buffers.push_back({.name = "sums", .role = Role::scratch, .type = problem.type(), .count = blocks});
  const auto launch = [&](const std::string& function, std::int64_t grid, std::vector<Argument> arguments) {
    plan.steps.push_back({.what = Launch{.entry = request.entry(function, {type}),
                                         .grid = {.x = static_cast<std::uint32_t>(grid)},
                                         .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                                         .arguments = std::move(arguments)}});
  };
  launch("sum_squares", blocks, {pointer_to("velocity"), pointer_to("sums"), value(coordinates)});
  launch("scale_velocity", divide_up(coordinates, tile_elements(p)),
         {pointer_to("velocity"), pointer_to("sums"), value(static_cast<int>(blocks)),
          real(problem, wanted_squares(problem)), value(coordinates)});
  return plan;
}

/// The sum of squares in a thread, then in a block; then the sums of blocks in the same way.
double depth(const P& p, const Problem& problem, const Device&) {
  constexpr double kOfBlock = 10;
  const auto blocks = static_cast<double>(std::max<std::int64_t>(blocks_of(p, problem), 1));
  const double of_thread = std::ceil(3 * static_cast<double>(problem.shape[0]) / (blocks * p.block_size));
  return of_thread + kOfBlock + std::ceil(blocks / p.block_size) + kOfBlock;
}

}  // namespace

Kernel scale_velocity_kernel() {
  return make_kernel<P>({
      .pattern = "lennard_jones",
      .name = "scale_velocity",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("sums", &P::sums, {32, 64, 128, 256, 512}),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{divide_up(tile_elements(p), 3)}; },
      .depth = depth,
      // One coordinate more than all threads that sum squares.
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{{std::int64_t{p.sums} * p.block_size / 3 + 1}};
          },
      .supports = [](const P&, const Problem& problem,
                     const Device&) { return std::string(scales(problem) ? "" : "scales velocities (op=scale) only"); },
      .steps =
          [](const P& p, const Problem& problem) {
            const auto coordinates = static_cast<double>(3 * problem.shape[0]);
            return 2 * coordinates + coordinates / static_cast<double>(tile_elements(p)) * p.block_size;
          },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::lennard_jones
