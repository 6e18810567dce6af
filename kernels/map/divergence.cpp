// Parameter space and launch plan of map/divergence.
#include "kernels/map/divergence.cuh"

#include "kernels/map/plans.hpp"

namespace warpwright::map {
namespace {

using P = divergence_params;

Plan plan(const P& p, const PlanRequest& request) {
  const std::int64_t ways = request.problem.integer("ways");
  const std::int64_t group = p.chosen_by == chosen_by::warp ? 32 * ways : 1;
  const std::int64_t threads = divide_up(request.problem.elements(), group) * group;
  return map_plan(request, "divergence", divide_up(threads, tile_elements(p)), p.block_size,
                  {value(static_cast<int>(ways))});
}

}  // namespace

Kernel divergence_kernel() {
  return make_kernel<P>({
      .pattern = "map",
      .name = "divergence",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8})
                   .axis("chosen_by", &P::chosen_by, {chosen_by::lane, chosen_by::warp})
                   .axis("choice", &P::choice, {choice::cases, choice::halving, choice::all}),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{tile_elements(p)}; },
      // Where a whole group of warps begins, for chosen_by::warp.
      .edges = [](const P& p, const Problem& problem) -> std::vector<std::vector<std::int64_t>> {
        const std::int64_t group = 32 * problem.integer("ways");
        if (p.chosen_by == chosen_by::lane) return {};
        return {{group - 1}, {group}, {group + 1}, {3 * group + 1}};
      },
      .supports = [](const P&, const Problem& problem, const Device&) { return solves_only(problem, "switch"); },
      .steps =
          [](const P& p, const Problem& problem) {
            const double gone = p.choice == choice::all ? problem.number("ways") : 1;
            return static_cast<double>(problem.elements()) * (1 + gone * kWayOperations / kOperationsAStep);
          },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::map
