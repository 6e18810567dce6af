// Parameter space and launch plan of neighbor/cell_list.
#include "kernels/neighbor/cell_list.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/block/cells.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/neighbor/plans.hpp"

namespace warpwright::neighbor {
namespace {

using P = cell_list_params;

/// Most cells per body: more cells would be mostly empty and cost more than they save.
constexpr std::int64_t kCellsPerBody = 4;

/// Cell positions, of which there are kCellsPerBody per body, must fit 31 bits.
constexpr std::int64_t kMostBodies = std::int64_t{1} << 28;

block::cell_grid grid_of(const P& p, const Problem& problem) {
  const std::int64_t side = side_of(problem);
  const std::int64_t by_cutoff = side / divide_up(cutoff_of(problem), p.cells_per_cutoff);
  const std::int64_t by_bodies = whole_root(kCellsPerBody * problem.shape[0], dim_of(problem));
  const std::int64_t cells = std::max<std::int64_t>(std::min(by_cutoff, by_bodies), 1);
  return {.width = static_cast<float>(side / cells) / steps_per_angstrom, .cells = static_cast<int>(cells)};
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  const std::int64_t bodies = problem.shape[0];
  Plan plan{.buffers = buffers(problem), .steps = {zeros("overflow", 1)}};
  if (bodies == 0) return plan;
  const block::CellSort sort{.type = problem.type(),
                             .dim = dim_of(problem),
                             .block_size = p.block_size,
                             .sorted = p.sorted,
                             .positions = "positions",
                             .bodies = bodies,
                             .grid = grid_of(p, problem)};
  for (Buffer& buffer : block::cell_sort_buffers(sort)) plan.buffers.push_back(std::move(buffer));
  for (Step& step : block::cell_sort_steps(sort)) plan.steps.push_back(std::move(step));
  if (p.counter == counter::in_memory) plan.steps.push_back(zeros("count", bodies));
  plan.steps.push_back(
      {.what = launch_over_bodies(
           problem, request.entry("cell_list", entry_arguments(problem, true)), p.block_size,
           {pointer_to("positions"), pointer_to("sorted"), pointer_to("order"), pointer_to("starts"),
            pointer_to("count"), pointer_to("list"), pointer_to("overflow"), box_argument(problem),
            block::grid_argument(sort.grid), value(bodies), value(static_cast<int>(problem.integer("capacity")))},
           p.lanes_per_body)});
  return plan;
}

std::string supports(const P&, const Problem& problem, const Device&) {
  return problem.shape[0] <= kMostBodies ? "" : "takes at most 2^28 bodies: cells are counted in 31 bits";
}

/// The least numbers of bodies whose cells need 34 blocks, so that the last block adds the sums of more blocks than a
/// warp has lanes, and so many that a launch scans the sums. Without those for which the cutoff leaves fewer cells.
std::vector<std::vector<std::int64_t>> edges(const P& p, const Problem& problem) {
  const int dim = dim_of(problem);
  std::vector<std::vector<std::int64_t>> found;
  for (const std::int64_t sums : {std::int64_t{33}, block::kFewSums * p.block_size}) {
    const std::int64_t cells = root_at_least(sums * p.block_size, 1, dim);
    Problem filled = problem;
    filled.shape = {divide_up(power(cells, dim), kCellsPerBody)};
    if (grid_of(p, filled).cells >= cells) found.push_back(filled.shape);
  }
  return found;
}

/// Number of bodies visited: those in the cells around each body, for a uniform distribution; in clusters those of its
/// own cluster.
double steps(const P& p, const Problem& problem) {
  const auto bodies = static_cast<double>(problem.shape[0]);
  const block::cell_grid grid = grid_of(p, problem);
  const double around = std::min(2.0 * p.cells_per_cutoff + 1, static_cast<double>(grid.cells)) / grid.cells;
  const double spread = bodies * std::pow(around, dim_of(problem));
  return bodies * (problem.data == "clusters" ? std::max(spread, bodies / 2) : spread) + bodies;
}

}  // namespace

Kernel cell_list_kernel() {
  return make_kernel<P>({
      .pattern = "neighbor",
      .name = "cell_list",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512})
                   .axis("cells_per_cutoff", &P::cells_per_cutoff, {1, 2})
                   .axis("lanes_per_body", &P::lanes_per_body, {1, 2, 4, 8, 32})
                   .axis("sorted", &P::sorted, {false, true})
                   .axis("counter", &P::counter, {counter::in_register, counter::in_memory})
                   .axis("min_blocks", &P::min_blocks, {1, 4})
                   .require("an SM holds the threads of min_blocks blocks",
                            [](const P& p, const Surroundings& around) {
                              return p.block_size * p.min_blocks <= around.device.max_threads_per_sm;
                            })
                   .require("at most 8 lanes draw slots from a counter in memory",
                            [](const P& p) { return p.counter == counter::in_register || p.lanes_per_body <= 8; }),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{p.block_size / p.lanes_per_body}; },
      .edges = edges,
      .supports = supports,
      .steps = steps,
  });
}

}  // namespace warpwright::neighbor
