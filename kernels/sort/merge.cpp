// Parameter space and launch plan of sort/merge.
#include "kernels/sort/merge.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = merge_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    const std::int64_t tiles = divide_up(n, merge_tile(p));
    const std::string type(name_of(problem.type()));
    const auto over_tiles = [&](const std::string& function, std::vector<Argument> arguments) {
      Launch launch =
          launch_tiles(request.entry(function, {type, pairs_text(problem)}), tiles, p.block_size, std::move(arguments));
      launch.shared_bytes = static_cast<std::uint32_t>(merge_bytes(p, key_size(problem), has_values(problem)));
      return launch;
    };
    const auto tiles_alone = [&](const Pass& pass) -> std::vector<Step> {
      return {{.what = over_tiles("merge_tiles", {pass.keys, pass.values, pass.out, pass.values_out,
                                                  range_argument(problem), value(n)})}};
    };
    const auto merges = [&](const Pass& pass) {
      std::vector<Step> steps;
      if (p.search == search::own_launch)
        steps.push_back(
            {.what = launch_tiles(request.entry("merge_search", {type}), divide_up(tiles, p.block_size), p.block_size,
                                  {pass.keys, pointer_to("splits"), range_argument(problem), pass.index, value(n)})});
      steps.push_back({.what = over_tiles("merge", {pass.keys, pass.values, pointer_to("splits"), pass.out,
                                                    pass.values_out, range_argument(problem), pass.index, value(n)})});
      return steps;
    };
    std::int64_t rounds = 0;
    while (std::int64_t{merge_tile(p)} << rounds < n) ++rounds;
    if (rounds > 0)
      plan.buffers.push_back(scratch("splits", ElementType::i64, p.search == search::own_launch ? tiles : 0));
    add_passes(plan, tiles_alone, rounds, merges);
  });
}

/// A key takes part in the exchanges of its thread, and in every merge that doubles the sorted length.
double steps(const P& p, const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  return n * (3 + p.coarsening + 4 * std::ceil(std::log2(std::max(n / p.coarsening, 2.0))));
}

}  // namespace

Kernel merge_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "merge",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17})
                   .axis("search", &P::search, {search::in_block, search::own_launch})
                   .require("shared memory holds keys and values of the tile, and where it begins and ends",
                            [](const P& p, const Surroundings& around) {
                              constexpr int kSplits = 2 * 8;
                              return merge_bytes(p, static_cast<int>(size_of(around.type())), true) + kSplits <=
                                     around.device.shared_per_block_optin;
                            }),
      .plan = plan,
      .tile = tile_extents<P>,
      .steps = steps,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
