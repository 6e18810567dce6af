// Parameter space and launch plan of sort/radix_lsd.
#include "kernels/sort/radix_lsd.cuh"

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_lsd_params;

/// Shared memory of the block that moves keys: staged keys, counts, digit starts, and the totals of two scans.
bool fits_block(const P& p, const Surroundings& around) {
  const int warps = p.block_size / 32;
  return fits_staged(around, ((warps + 3) << p.radix_bits) * 4 + 16 * warps, p.store, p.block_size, p.coarsening);
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    const std::int64_t tiles = divide_up(n, tile_elements(p));
    const std::int64_t radix = std::int64_t{1} << p.radix_bits;
    const ElementType offset = offset_type(n);
    const std::string type(name_of(problem.type()));
    const std::string counter(name_of(offset));
    plan.buffers.push_back(scratch("table", offset, tiles * radix));
    plan.buffers.push_back(scratch("totals", offset, radix));
    const auto steps = [&](const Pass& pass) -> std::vector<Step> {
      return {
          {.what = launch_tiles(
               request.entry("radix_lsd_count", {type, counter}), tiles, p.block_size,
               {pass.keys, pointer_to("table"), range_argument(problem), pass.before, pass.index, value(n)})},
          {.what = launch_tiles(instance("scan_rows", {counter, std::to_string(p.block_size)}), radix, p.block_size,
                                {pointer_to("table"), pointer_to("totals"), value(tiles)})},
          {.what = launch_staged(p, p.store, problem, request.entry("radix_lsd", {type, pairs_text(problem), counter}),
                                 {pass.keys, pass.values, pointer_to("table"), pointer_to("totals"), pass.out,
                                  pass.values_out, range_argument(problem), pass.before, pass.index, value(n)})}};
    };
    add_passes(plan, steps, passes_of(problem, p.radix_bits) - 1, steps);
  });
}

}  // namespace

Kernel radix_lsd_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "radix_lsd",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {64, 128, 256, 512})
                   .axis("coarsening", &P::coarsening, {1, 4, 8, 16, 24})
                   .axis("radix_bits", &P::radix_bits, {2, 3, 4, 5, 6, 7, 8})
                   .axis("store", &P::store, store_values())
                   .require("shared memory holds the counts and what is staged", fits_block),
      .plan = plan,
      .tile = tile_extents<P>,
      // Table rows longer than what the block scans at once.
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{
                {tile_elements(p) * p.block_size * block::kSequenceItems + 1}};
          },
      .steps = [](const P& p, const Problem& problem) { return ballot_steps(problem, p.radix_bits); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
