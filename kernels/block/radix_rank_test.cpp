// Ranks of a tile by digits: those of a stable sort, whatever the schedule and however full the tile is.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/runtime/host/kernel_fixture.hpp"
#include "kernels/runtime/host/plan_fixture.hpp"

namespace warpwright {
namespace {

constexpr const char* kRank = R"(
template <int BlockSize, int Bits, int Items>
__global__ void rank(const unsigned* in, unsigned* ranks, unsigned* starts, int present) {
  __shared__ warpwright::block::radix_counts<BlockSize, Bits> counts;
  unsigned digits[Items];
  unsigned own[Items];
  for (int i = 0; i < Items; ++i) digits[i] = in[warpwright::block::warp_place<Items>(i)];
  warpwright::block::rank_digits(counts, digits, present, own);
  for (int i = 0; i < Items; ++i) ranks[warpwright::block::warp_place<Items>(i)] = own[i];
  for (int digit = threadIdx.x; digit <= 1 << Bits; digit += BlockSize) starts[digit] = counts.starts[digit];
}
)";

struct Tile {
  int block_size, bits, items, present;

  int size() const { return block_size * items; }
  std::string entry() const { return fmt::format("rank<{}, {}, {}>", block_size, bits, items); }
};

host::PlanRun run(const Tile& tile, const std::vector<unsigned>& digits, std::uint64_t seed,
                  const std::string& text = kRank) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::u32, .count = tile.size()},
                        {.name = "ranks", .role = Role::out, .type = ElementType::u32, .count = tile.size()},
                        {.name = "starts", .role = Role::out, .type = ElementType::u32, .count = (1 << tile.bits) + 1}},
            .steps = {{.what = Launch{.entry = tile.entry(),
                                      .grid = {.x = 1},
                                      .block = {.x = static_cast<std::uint32_t>(tile.block_size)},
                                      .arguments = {pointer_to("in"), pointer_to("ranks"), pointer_to("starts"),
                                                    value(tile.present)}}}}};
  host::ExecuteOptions options;
  options.schedule.seed = seed;
  return host::run_plan(plan, "kernels/block/radix_rank.cuh", {host::bytes_of(digits)}, options, text);
}

std::vector<unsigned> digits_of(const Tile& tile, bool are_few) {
  std::vector<unsigned> digits(static_cast<std::size_t>(tile.size()));
  for (std::size_t i = 0; i < digits.size(); ++i)
    digits[i] = static_cast<unsigned>(i * i * 7919 % 10007) % (are_few ? 2U : 1U << tile.bits);
  return digits;
}

/// Where a stable sort puts each of the first `present` digits, and 0xffffffff for the others.
std::vector<unsigned> stable_ranks(const Tile& tile, const std::vector<unsigned>& digits) {
  std::vector<std::size_t> order(static_cast<std::size_t>(tile.present));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return digits[i]; });
  std::vector<unsigned> ranks(digits.size(), 0xffffffffU);
  for (std::size_t place = 0; place < order.size(); ++place) ranks[order[place]] = static_cast<unsigned>(place);
  return ranks;
}

TEST(RadixRank, RanksAreThoseOfAStableSort) {
  for (const Tile& tile : {Tile{32, 1, 1, 32}, Tile{32, 8, 3, 96}, Tile{64, 2, 4, 200}, Tile{96, 5, 2, 1},
                           Tile{128, 8, 4, 511}, Tile{256, 8, 2, 512}})
    for (const bool are_few : {false, true})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const std::vector<unsigned> digits = digits_of(tile, are_few);
        const auto [execution, buffers] = run(tile, digits, seed);
        ASSERT_TRUE(execution.clean()) << tile.entry() << describe(execution.findings[0]);
        EXPECT_EQ(host::values_of<unsigned>(buffers.at("ranks")), stable_ranks(tile, digits)) << tile.entry();
        const auto starts = host::values_of<unsigned>(buffers.at("starts"));
        for (std::size_t digit = 0; digit < starts.size(); ++digit)
          EXPECT_EQ(starts[digit],
                    std::count_if(digits.begin(), digits.begin() + tile.present, [&](auto d) { return d < digit; }))
              << tile.entry();
      }
}

TEST(RadixRank, TwoInARowWithoutABarrierBetweenThemRace) {
  std::string text = kRank;
  const std::string call = "warpwright::block::rank_digits(counts, digits, present, own);";
  text.replace(text.find(call), call.size(), call + call);
  const Tile tile{64, 2, 1, 64};
  const auto execution = run(tile, digits_of(tile, false), 1, text).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::race);
}

}  // namespace
}  // namespace warpwright
