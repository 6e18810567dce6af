// The space and plan of sort/radix_lsd.
#include "kernels/sort/radix_lsd.cuh"

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_lsd_params;

std::int64_t tile(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}

/// Of the block that moves keys: what is staged, the counts, where digits begin, and the totals of two scans.
bool fits_block(const P& p, const Surroundings& around) {
  const int key = static_cast<int>(size_of(around.type()));
  const int warps = p.block_size / 32;
  const int fixed = ((warps + 3) << p.radix_bits) * 4 + 16 * warps;
  return fixed <= 48 * 1024 &&
         fixed + staging_bytes(p.store, p.block_size, p.coarsening, key) <= around.device.shared_per_block_optin;
}

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan = copy_plan(problem);
  if (is_copy(problem)) return plan;
  plan.steps.clear();
  const std::int64_t n = problem.elements();
  const std::int64_t tiles = divide_up(n, tile(p));
  const std::int64_t radix = std::int64_t{1} << p.radix_bits;
  const ElementType offset = offset_type(n);
  const std::string type(name_of(problem.type()));
  const std::string counter(name_of(offset));
  plan.buffers.push_back(scratch("table", offset, tiles * radix));
  plan.buffers.push_back(scratch("totals", offset, radix));
  const auto steps = [&](const Pass& pass) -> std::vector<Step> {
    Launch move = launch_tiles(request.entry("radix_lsd", {type, pairs_text(problem), counter}), tiles, p.block_size,
                               {pass.keys, pass.values, pointer_to("table"), pointer_to("totals"), pass.out,
                                pass.values_out, range_argument(problem), pass.before, pass.index, value(n)});
    move.shared_bytes =
        static_cast<std::uint32_t>(staging_bytes(p.store, p.block_size, p.coarsening, key_size(problem)));
    return {{.what = launch_tiles(
                 request.entry("radix_lsd_count", {type, counter}), tiles, p.block_size,
                 {pass.keys, pointer_to("table"), range_argument(problem), pass.before, pass.index, value(n)})},
            {.what = launch_tiles(instance("scan_rows", {counter, std::to_string(p.block_size)}), radix, p.block_size,
                                  {pointer_to("table"), pointer_to("totals"), value(tiles)})},
            {.what = std::move(move)}};
  };
  add_passes(plan, steps, passes_of(problem, p.radix_bits) - 1, steps);
  return plan;
}

/// A digit is counted, found by ballots and moved.
double steps(const P& p, const Problem& problem) {
  const auto passes = static_cast<double>(passes_of(problem, p.radix_bits));
  return static_cast<double>(problem.elements()) * (passes * (p.radix_bits + 4) + 1);
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
                   .axis("store", &P::store,
                         {{store::direct, "warpwright::sort::store::direct"},
                          {store::staged, "warpwright::sort::store::staged"}})
                   .require("shared memory holds the counts and what is staged", fits_block),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{tile(p)}; },
      // Rows of the table that are longer than the block that scans them.
      .edges = [](const P& p,
                  const Problem&) { return std::vector<std::vector<std::int64_t>>{{tile(p) * p.block_size + 1}}; },
      .steps = steps,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
