// Tests of ranking a tile by digits: the ranks of a stable sort, in any schedule and for partly filled tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

/// The key is its own digit; keys after the first `present` ones get the last digit. `Early`: digits are counted in
/// advance.
constexpr const char* kRank = R"(
struct itself {
  __device__ unsigned operator()(unsigned key) const { return key; }
  __device__ itself anew() const { return {}; }
};

template <int BlockSize, int Bits, int Items, bool Early>
__global__ void rank(const unsigned* in, unsigned* ranks, unsigned* starts, unsigned* totals, int present) {
  __shared__ warpwright::block::radix_counts<BlockSize, Bits> counts;
  unsigned keys[Items];
  unsigned own[Items];
  for (int i = 0; i < Items; ++i) {
    const int place = warpwright::block::warp_place<Items>(i);
    keys[i] = place < present ? in[place] : (1U << Bits) - 1;
  }
  const auto on_count = [&](int digit, int, unsigned count) { totals[digit] = count; };
  if constexpr (Early) {
    warpwright::block::zero_counters(counts);
    warpwright::block::count_keys(counts, keys, itself());
    warpwright::block::place_digits(counts, on_count);
    warpwright::block::take_turns<warpwright::block::turns::by_lane, Bits, 2, Items>(
        warpwright::block::own_counters(counts), keys, itself(), [&](int i, unsigned turn) { own[i] = turn; });
  } else {
    warpwright::block::rank_digits<3>(counts, keys, itself(), on_count, own);
  }
  for (int i = 0; i < Items; ++i) ranks[warpwright::block::warp_place<Items>(i)] = own[i];
  for (int digit = threadIdx.x; digit < 1 << Bits; digit += BlockSize) starts[digit] = counts.starts[digit];
}
)";

struct Tile {
  int block_size, bits, items, present;
  bool is_early = false;

  int size() const { return block_size * items; }
  std::string entry() const { return fmt::format("rank<{}, {}, {}, {}>", block_size, bits, items, is_early); }
};

simulator::PlanRun run(const Tile& tile, const std::vector<unsigned>& digits, std::uint64_t seed,
                       const std::string& text = kRank) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::u32, .count = tile.size()},
                        {.name = "ranks", .role = Role::out, .type = ElementType::u32, .count = tile.size()},
                        {.name = "starts", .role = Role::out, .type = ElementType::u32, .count = 1 << tile.bits},
                        {.name = "totals", .role = Role::out, .type = ElementType::u32, .count = 1 << tile.bits}},
            .steps = {{.what = Launch{.entry = tile.entry(),
                                      .grid = {.x = 1},
                                      .block = {.x = static_cast<std::uint32_t>(tile.block_size)},
                                      .arguments = {pointer_to("in"), pointer_to("ranks"), pointer_to("starts"),
                                                    pointer_to("totals"), value(tile.present)}}}}};
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  return simulator::run_plan(plan, "kernels/block/radix_rank.cuh", {simulator::bytes_of(digits)}, options, text);
}

std::vector<unsigned> digits_of(const Tile& tile, bool are_few) {
  std::vector<unsigned> digits(static_cast<std::size_t>(tile.size()));
  for (std::size_t i = 0; i < digits.size(); ++i)
    digits[i] = static_cast<unsigned>(i * i * 7919 % 10007) % (are_few ? 2U : 1U << tile.bits);
  return digits;
}

/// The positions at which a stable sort places each digit.
std::vector<unsigned> stable_ranks(const std::vector<unsigned>& digits) {
  std::vector<std::size_t> order(digits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return digits[i]; });
  std::vector<unsigned> ranks(digits.size());
  for (std::size_t place = 0; place < order.size(); ++place) ranks[order[place]] = static_cast<unsigned>(place);
  return ranks;
}

TEST(RadixRank, RanksAreThoseOfAStableSort) {
  for (const Tile& tile : {Tile{32, 1, 1, 32}, Tile{32, 8, 3, 96, true}, Tile{64, 2, 4, 200, true}, Tile{96, 5, 2, 1},
                           Tile{128, 8, 5, 511}, Tile{256, 8, 2, 512, true}})
    for (const bool are_few : {false, true})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        std::vector<unsigned> digits = digits_of(tile, are_few);
        const auto [execution, buffers] = run(tile, digits, seed);
        ASSERT_TRUE(execution.clean()) << tile.entry() << describe(execution.findings[0]);
        std::fill(digits.begin() + tile.present, digits.end(), (1U << tile.bits) - 1);
        EXPECT_EQ(simulator::values_of<unsigned>(buffers.at("ranks")), stable_ranks(digits)) << tile.entry();
        const auto starts = simulator::values_of<unsigned>(buffers.at("starts"));
        const auto totals = simulator::values_of<unsigned>(buffers.at("totals"));
        for (std::size_t digit = 0; digit < starts.size(); ++digit) {
          EXPECT_EQ(starts[digit], std::ranges::count_if(digits, [&](auto d) { return d < digit; })) << tile.entry();
          EXPECT_EQ(totals[digit], std::ranges::count(digits, digit)) << tile.entry();
        }
      }
}

TEST(RadixRank, RankingByArrivalGivesEachRankOnceInAnyOrder) {
  std::string text = kRank;
  const std::string by_lane = "turns::by_lane";
  text.replace(text.find(by_lane), by_lane.size(), "turns::by_arrival");
  const Tile tile{64, 2, 3, 192, true};
  const std::vector<unsigned> digits = digits_of(tile, false);
  int unstable = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto [execution, buffers] = run(tile, digits, seed, text);
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const auto ranks = simulator::values_of<unsigned>(buffers.at("ranks"));
    std::vector<unsigned> placed(digits.size(), 4);
    for (std::size_t i = 0; i < ranks.size(); ++i) placed.at(ranks[i]) = digits[i];
    EXPECT_TRUE(std::ranges::is_sorted(placed));
    EXPECT_EQ(std::ranges::count(placed, 4U), 0);
    if (ranks != stable_ranks(digits)) ++unstable;
  }
  EXPECT_GT(unstable, 0);
}

TEST(RadixRank, TwoRankingsWithoutABarrierInBetweenRace) {
  std::string text = kRank;
  const std::string call = "warpwright::block::rank_digits<3>(counts, keys, itself(), on_count, own);";
  text.replace(text.find(call), call.size(), call + call);
  const Tile tile{64, 2, 1, 64};
  const auto execution = run(tile, digits_of(tile, false), 1, text).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::race);
}

}  // namespace
}  // namespace warpwright
