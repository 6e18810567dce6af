// Parameter space and launch plan of sort/radix_split.
#include "kernels/sort/radix_split.cuh"

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_split_params;

/// Shared memory of the block that moves keys: staged keys, a sum for each warp, and the destinations of zeros and
/// ones.
bool fits_block(const P& p, const Surroundings& around) {
  return fits_staged(around, p.block_size / 8 + 16, p.store, p.block_size, p.coarsening);
}

constexpr int kScanBlock = 256;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    const std::int64_t tiles = divide_up(n, tile_elements(p));
    const ElementType offset = offset_type(n);
    const std::string type(name_of(problem.type()));
    const std::string counter(name_of(offset));
    plan.buffers.push_back(scratch("ones", offset, tiles));
    plan.buffers.push_back(scratch("total", offset, 1));
    const auto steps = [&](const Pass& pass) -> std::vector<Step> {
      return {{.what = launch_tiles(
                   request.entry("radix_split_count", {type, counter}), tiles, p.block_size,
                   {pass.keys, pointer_to("ones"), range_argument(problem), pass.before, pass.index, value(n)})},
              {.what = launch_tiles(instance("scan_rows", {counter, std::to_string(kScanBlock)}), 1, kScanBlock,
                                    {pointer_to("ones"), pointer_to("total"), value(tiles)})},
              {.what = launch_staged(p, p.store, problem,
                                     request.entry("radix_split", {type, pairs_text(problem), counter}),
                                     {pass.keys, pass.values, pointer_to("ones"), pointer_to("total"), pass.out,
                                      pass.values_out, range_argument(problem), pass.before, pass.index, value(n)})}};
    };
    add_passes(plan, steps, passes_of(problem, 1) - 1, steps);
  });
}

}  // namespace

Kernel radix_split_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "radix_split",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {32, 64, 128, 256, 512, 1024})
                   .axis("coarsening", &P::coarsening, {1, 2, 4, 8, 16})
                   .axis("vector_width", &P::vector_width, {1, 2, 4})
                   .axis("store", &P::store, store_values())
                   .require("whole vectors", [](const P& p) { return p.coarsening % p.vector_width == 0; })
                   .require("shared memory holds what is staged", fits_block),
      .plan = plan,
      .tile = tile_extents<P>,
      // More tiles than the block that scans their counts takes at once.
      .edges =
          [](const P& p, const Problem&) {
            return std::vector<std::vector<std::int64_t>>{
                {tile_elements(p) * (kScanBlock * block::kSequenceItems + 1)}};
          },
      .steps =
          [](const P&, const Problem& problem) {
            return static_cast<double>(problem.elements()) * (4.0 * compared_bits_of(problem) + 1);
          },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
