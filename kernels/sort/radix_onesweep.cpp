// Parameter space and launch plan of sort/radix_onesweep.
#include "kernels/sort/radix_onesweep.cuh"

#include <algorithm>

#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

using P = radix_onesweep_params;

/// Shared memory of the block that moves keys: staged keys, counts, digit starts, and the totals of a scan.
bool fits_block(const P& p, const Surroundings& around) {
  const int warps = p.block_size / 32;
  const int key = static_cast<int>(size_of(around.type()));
  const int most_passes = static_cast<int>(divide_up(8 * key, p.radix_bits));
  return fits_staged(around, ((warps + 3) << p.radix_bits) * 4 + 4 * warps + 16, store::staged, p.block_size,
                     p.coarsening) &&
         radix_onesweep_counters(p, most_passes) <= around.device.shared_per_block_optin;
}

/// As many blocks as are resident together, or fewer if there are fewer chunks.
std::int64_t counting_blocks(const P& p, const Device& device, std::int64_t shared_bytes, std::int64_t n) {
  const std::int64_t per_sm =
      std::clamp<std::int64_t>(device.shared_per_sm / (shared_bytes + device.shared_reserved_per_block), 1,
                               std::max(device.max_threads_per_sm / p.count_block, 1));
  return std::min(per_sm * std::max(device.sm_count, 1), divide_up(n, p.count_block * radix_onesweep_loads));
}

Plan plan(const P& p, const PlanRequest& request) {
  constexpr int kScanBlock = 256;
  const Problem& problem = request.problem;
  return sort_plan(problem, [&](Plan& plan) {
    const std::int64_t n = problem.elements();
    const std::int64_t radix = std::int64_t{1} << p.radix_bits;
    const std::int64_t passes = passes_of(problem, p.radix_bits);
    // A descriptor needs two bits for its status.
    const ElementType offset = offset_type(4 * n);
    const std::string type(name_of(problem.type()));
    const std::string counter(name_of(offset));
    const std::int64_t words = (passes + divide_up(n, tile_elements(p))) * radix;
    plan.buffers.push_back(scratch("starts_and_descriptors", offset, words));
    plan.buffers.push_back(scratch("is_same", ElementType::u32, passes));
    plan.buffers.push_back(scratch("spare", problem.type(), passes > 1 ? n : 0));
    plan.buffers.push_back(scratch("spare_values", ElementType::u32, passes > 1 && has_values(problem) ? n : 0));
    plan.buffers.push_back(
        {.name = "ticket", .role = Role::scratch, .type = ElementType::u32, .count = 1, .self_restoring = true});
    const Argument starts = pointer_to("starts_and_descriptors");
    const Argument descriptors =
        pointer_to("starts_and_descriptors", passes * radix * static_cast<std::int64_t>(size_of(offset)));

    const int counters = radix_onesweep_counters(p, static_cast<int>(passes));
    Launch count = launch_tiles(
        request.entry("radix_onesweep_count", {type, counter}), counting_blocks(p, request.device, counters, n),
        p.count_block, {pointer_to("in"), starts, range_argument(problem), value(static_cast<int>(passes)), value(n)});
    count.shared_bytes = static_cast<std::uint32_t>(counters);
    plan.steps = {
        {.what = Memset{.buffer = "starts_and_descriptors",
                        .count = words,
                        .value = offset == ElementType::u32 ? value(0U) : value(std::uint64_t{0})}},
        {.what = std::move(count)},
        {.what = launch_tiles(
             instance("radix_onesweep_starts", {counter, std::to_string(kScanBlock), std::to_string(radix)}), passes,
             kScanBlock, {starts, pointer_to("is_same"), value(n)})},
        {.what = Repeat{.times = passes,
                        .steps = {{.what = launch_staged(
                                       p, store::staged, problem,
                                       request.entry("radix_onesweep", {type, pairs_text(problem), counter}),
                                       {pointer_to("in"), pointer_to("out"), pointer_to("spare"), pointer_to("values"),
                                        pointer_to("values_out"), pointer_to("spare_values"), starts, descriptors,
                                        pointer_to("is_same"), pointer_to("ticket"), range_argument(problem),
                                        value(static_cast<int>(passes)), IndexArgument{}, value(n)})}}}}};
  });
}

/// Only full tiles may be ranked in the order of arrival.
std::vector<std::vector<std::int64_t>> edges(const P& p, const Problem&) {
  return {{tile_elements(p)}, {2 * tile_elements(p)}};
}

std::string supports(const P& p, const Problem& problem, const Device&) {
  return has_values(problem) && p.ranking != ranking::ballots ? "the order of values shows: pairs are ranked by ballots"
                                                              : "";
}

}  // namespace

Kernel radix_onesweep_kernel() {
  return make_kernel<P>({
      .pattern = "sort",
      .name = "radix_onesweep",
      .default_params = {},
      .space = SpaceOf<P>{}
                   .axis("block_size", &P::block_size, {128, 256, 384, 512})
                   .axis("coarsening", &P::coarsening, {8, 16, 20, 24, 32})
                   .axis("radix_bits", &P::radix_bits, {4, 8})
                   .axis("counting", &P::counting, {counting::early, counting::late})
                   .axis("ranking", &P::ranking, {ranking::ballots, ranking::first_by_arrival, ranking::by_arrival})
                   .axis("unroll", &P::unroll, {1, 4})
                   .axis("window", &P::window, {1, 2, 4})
                   .axis("min_blocks", &P::min_blocks, {1, 2, 3, 4})
                   .axis("count_block", &P::count_block, {512, 1024})
                   .require("ranking by arrival is of keys that are counted before",
                            [](const P& p) { return p.ranking == ranking::ballots || p.counting == counting::early; })
                   .require("a multiprocessor holds the threads of its blocks",
                            [](const P& p, const Surroundings& around) {
                              return p.min_blocks * p.block_size <= around.device.max_threads_per_sm;
                            })
                   .require("shared memory holds the counts and what is staged", fits_block),
      .plan = plan,
      .tile = tile_extents<P>,
      .edges = edges,
      .supports = supports,
      .steps = [](const P& p, const Problem& problem) { return ballot_steps(problem, p.radix_bits); },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::sort
