// The space and plan of sort/radix_onesweep.
#include "kernels/sort/radix_onesweep.cuh"

#include <algorithm>

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_onesweep_params;

std::int64_t tile(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}

/// Of the block that moves keys: what is staged, the counts, where digits begin, and the totals of a scan.
bool fits_block(const P& p, const Surroundings& around) {
  const int key = static_cast<int>(size_of(around.type()));
  const int warps = p.block_size / 32;
  const int fixed = ((warps + 3) << p.radix_bits) * 4 + 4 * warps + 16;
  const int counters = radix_onesweep_counters(p, static_cast<int>(divide_up(8 * key, p.radix_bits)));
  return fixed <= 48 * 1024 && std::max(fixed + staging_bytes(p.store, p.block_size, p.coarsening, key), counters) <=
                                   around.device.shared_per_block_optin;
}

Plan plan(const P& p, const PlanRequest& request) {
  constexpr int kScanBlock = 256;
  constexpr int kCountingBlocksPerSm = 4;
  const Problem& problem = request.problem;
  Plan plan = copy_plan(problem);
  if (is_copy(problem)) return plan;
  plan.steps.clear();
  const std::int64_t n = problem.elements();
  const std::int64_t tiles = divide_up(n, tile(p));
  const std::int64_t radix = std::int64_t{1} << p.radix_bits;
  const std::int64_t passes = passes_of(problem, p.radix_bits);
  // A descriptor keeps two bits for itself.
  const ElementType offset = offset_type(4 * n);
  const std::string type(name_of(problem.type()));
  const std::string counter(name_of(offset));
  const ValueArgument zero = offset == ElementType::u32 ? value(0U) : value(std::uint64_t{0});
  plan.buffers.push_back(scratch("starts", offset, passes * radix));
  plan.buffers.push_back(scratch("sums", offset, passes));
  plan.buffers.push_back(scratch("descriptors", offset, tiles * radix));
  plan.buffers.push_back(
      {.name = "ticket", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});

  const std::int64_t counting =
      std::min(tiles, std::int64_t{std::max(request.device.sm_count, 1)} * kCountingBlocksPerSm);
  Launch count = launch_tiles(
      request.entry("radix_onesweep_count", {type, counter}), counting, p.block_size,
      {pointer_to("in"), pointer_to("starts"), range_argument(problem), value(static_cast<int>(passes)), value(n)});
  count.shared_bytes = static_cast<std::uint32_t>(radix_onesweep_counters(p, static_cast<int>(passes)));
  plan.steps = {{.what = Memset{.buffer = "starts", .count = passes * radix, .value = zero}},
                {.what = Memset{.buffer = "descriptors", .count = tiles * radix, .value = zero}},
                {.what = std::move(count)},
                {.what = launch_tiles(instance("scan_rows", {counter, std::to_string(kScanBlock)}), passes, kScanBlock,
                                      {pointer_to("starts"), pointer_to("sums"), value(radix)})}};
  const auto steps = [&](const Pass& pass) -> std::vector<Step> {
    Launch move =
        launch_tiles(request.entry("radix_onesweep", {type, pairs_text(problem), counter}), tiles, p.block_size,
                     {pass.keys, pass.values, pointer_to("starts"), pointer_to("descriptors"), pointer_to("ticket"),
                      pass.out, pass.values_out, range_argument(problem), pass.before, pass.index, value(n)});
    move.shared_bytes =
        static_cast<std::uint32_t>(staging_bytes(p.store, p.block_size, p.coarsening, key_size(problem)));
    return {{.what = std::move(move)}};
  };
  add_passes(plan, steps, passes - 1, steps);
  return plan;
}

/// A digit is counted once, found by ballots and moved.
double steps(const P& p, const Problem& problem) {
  const auto passes = static_cast<double>(passes_of(problem, p.radix_bits));
  return static_cast<double>(problem.elements()) * (passes * (p.radix_bits + 4) + 1);
}

}  // namespace

Kernel radix_onesweep_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "radix_onesweep",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 384, 512})
                   .axis("coarsening", &P::coarsening, {4, 8, 16, 20, 24})
                   .axis("radix_bits", &P::radix_bits, {4, 6, 7, 8})
                   .axis("store", &P::store,
                         {{store::direct, "warpwright::sort::store::direct"},
                          {store::staged, "warpwright::sort::store::staged"}})
                   .axis("window", &P::window, {1, 2, 4})
                   .axis("copies", &P::copies, {1, 8})
                   .require("shared memory holds the counts and what is staged", fits_block),
      .plan = plan,
      .tile = [](const P& p) { return std::vector<std::int64_t>{tile(p)}; },
      .steps = steps,
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
