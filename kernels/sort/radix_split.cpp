// The space and plan of sort/radix_split.
#include "kernels/sort/radix_split.cuh"

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_split_params;

std::int64_t tile(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}

/// Of the block that moves keys: what is staged, a sum for each warp, and where zeros and ones go.
bool fits_block(const P& p, const Surroundings& around) {
  return staging_bytes(p.store, p.block_size, p.coarsening, static_cast<int>(size_of(around.type()))) +
             p.block_size / 8 + 16 <=
         around.device.shared_per_block_optin;
}

Plan plan(const P& p, const PlanRequest& request) {
  constexpr int kScanBlock = 256;
  const Problem& problem = request.problem;
  Plan plan = copy_plan(problem);
  if (is_copy(problem)) return plan;
  plan.steps.clear();
  const std::int64_t n = problem.elements();
  const std::int64_t tiles = divide_up(n, tile(p));
  const ElementType offset = offset_type(n);
  const std::string type(name_of(problem.type()));
  const std::string counter(name_of(offset));
  plan.buffers.push_back(scratch("ones", offset, tiles));
  plan.buffers.push_back(scratch("total", offset, 1));
  const auto steps = [&](const Pass& pass) -> std::vector<Step> {
    Launch move = launch_tiles(request.entry("radix_split", {type, pairs_text(problem), counter}), tiles, p.block_size,
                               {pass.keys, pass.values, pointer_to("ones"), pointer_to("total"), pass.out,
                                pass.values_out, range_argument(problem), pass.before, pass.index, value(n)});
    move.shared_bytes =
        static_cast<std::uint32_t>(staging_bytes(p.store, p.block_size, p.coarsening, key_size(problem)));
    return {{.what = launch_tiles(
                 request.entry("radix_split_count", {type, counter}), tiles, p.block_size,
                 {pass.keys, pointer_to("ones"), range_argument(problem), pass.before, pass.index, value(n)})},
            {.what = launch_tiles(instance("scan_rows", {counter, std::to_string(kScanBlock)}), 1, kScanBlock,
                                  {pointer_to("ones"), pointer_to("total"), value(tiles)})},
            {.what = std::move(move)}};
  };
  add_passes(plan, steps, passes_of(problem, 1) - 1, steps);
  return plan;
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
                   .axis("store", &P::store,
                         {{store::direct, "warpwright::sort::store::direct"},
                          {store::staged, "warpwright::sort::store::staged"}})
                   .require("whole vectors", [](const P& p) { return p.coarsening % p.vector_width == 0; })
                   .require("shared memory holds what is staged", fits_block),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{tile(p)}; },
      // More tiles than the block has threads that scans their counts.
      .edges = [](const P& p, const Problem&) { return std::vector<std::vector<std::int64_t>>{{tile(p) * 257}}; },
      .steps =
          [](const P&, const Problem& problem) {
            return static_cast<double>(problem.elements()) * (4.0 * compared_bits_of(problem) + 1);
          },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
