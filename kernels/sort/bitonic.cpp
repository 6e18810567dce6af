// Parameter space and launch plan of sort/bitonic.
#include "kernels/sort/bitonic.cuh"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = bitonic_params;

int shared_bytes(const P& p, int key_size) {
  return (bitonic_tile(p) + bitonic_tile(p) / 32 * p.bank_pad) * key_size;
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    const std::int64_t tiles = divide_up(n, bitonic_tile(p));
    const std::string type(name_of(problem.type()));
    const auto over_tiles = [&](const std::string& function, std::vector<Argument> arguments) {
      Launch launch = launch_tiles(request.entry(function, {type}), tiles, p.block_size, std::move(arguments));
      launch.shared_bytes = static_cast<std::uint32_t>(shared_bytes(p, key_size(problem)));
      plan.steps.push_back({.what = std::move(launch)});
    };
    over_tiles("bitonic", {pointer_to("in"), pointer_to("out"), range_argument(problem), value(n)});
    for (std::int64_t half = bitonic_tile(p); half < n; half *= 2) {
      // Steps over all keys, with distances half, half / 2, ... down to a tile.
      for (std::int64_t distance = half; distance >= bitonic_tile(p);) {
        int fused = 1;
        while (fused < p.fused && distance >> fused >= bitonic_tile(p)) ++fused;
        const std::int64_t groups = divide_up(n, 2 * distance) * 2 * distance >> fused;
        const int log_gap = std::countr_zero(static_cast<std::uint64_t>(2 * distance)) - fused;
        plan.steps.push_back({.what = launch_tiles(request.entry("bitonic_steps", {type, std::to_string(fused)}),
                                                   divide_up(groups, p.block_size), p.block_size,
                                                   {pointer_to("out"), range_argument(problem),
                                                    value(distance == half ? 1 : 0), value(log_gap), value(n)})});
        distance >>= fused;
      }
      over_tiles("bitonic_finish", {pointer_to("out"), range_argument(problem), value(n)});
    }
  });
}

std::string supports(const P&, const Problem& problem, const Device&) {
  if (has_values(problem)) return "is not stable: values of equal keys would change places";
  const bit_range range = range_of(problem);
  return range.begin == 0 && range.end == 8 * key_size(problem)
             ? ""
             : "is not stable: keys that are equal in part of their bits would change places";
}

/// Every key takes part in k (k + 1) / 2 comparisons, where 2^k is the number of keys rounded up.
double steps(const P&, const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const double doublings = std::ceil(std::log2(std::max(n, 2.0)));
  return n * (doublings * (doublings + 1) / 2 + 1);
}

}  // namespace

Kernel bitonic_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "bitonic",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {2, 4, 8, 16})
                   .axis("bank_pad", &P::bank_pad, {0, 1})
                   .axis("fused", &P::fused, {1, 2, 3})
                   .require("shared memory holds the tile",
                            [](const P& p, const Surroundings& around) {
                              return shared_bytes(p, static_cast<int>(size_of(around.type()))) <=
                                     around.device.shared_per_block_optin;
                            }),
      .plan = plan,
      .tile = tile_extents<P>,
      // The first length at which a merge has more steps over all keys than are fused.
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{{(std::int64_t{bitonic_tile(p)} << p.fused) + 1}};
          },
      .supports = supports,
      .steps = steps,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
