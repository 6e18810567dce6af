// Tests of decoupled look-back: correct prefixes in every schedule, no deadlock, and a state that restores itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

/// Composes maps x -> a x + b modulo 2^16, stored as a << 16 | b, which is not commutative. The kernel gives every tile
/// one value and writes the prefix of the tiles before it.
constexpr const char* kText = R"(
struct affine {
  template <class T>
  static __device__ T identity() { return 0x10000U; }
  static __device__ unsigned combine(unsigned first, unsigned then) {
    const unsigned a = (first >> 16) * (then >> 16);
    const unsigned b = (then >> 16) * (first & 0xffff) + (then & 0xffff);
    return a << 16 | (b & 0xffff);
  }
};

struct add {
  template <class T>
  static __device__ T identity() { return 0; }
  template <class T>
  static __device__ T combine(T first, T then) { return first + then; }
};

template <class T, class Op, int Window>
__global__ void prefixes(const T* in, T* out, unsigned long long* descriptors, unsigned* counters) {
  const long long tile = warpwright::block::next_tile(counters);
  if (threadIdx.x < 32) {
    const T before = warpwright::block::look_back<Op, Window>(descriptors, tile, in[tile]);
    if (threadIdx.x == 0) out[tile] = before;
    __syncwarp();
    const unsigned departed = warpwright::block::depart(counters + 1);
    warpwright::block::zero_behind_last(departed, descriptors);
  }
}
)";

unsigned affine(unsigned first, unsigned then) {
  const unsigned a = (first >> 16) * (then >> 16);
  const unsigned b = (then >> 16) * (first & 0xffff) + (then & 0xffff);
  return a << 16 | (b & 0xffff);
}

struct Trial {
  std::string entry;
  std::uint64_t seed = 0;
  int resident_blocks = 0;
  int times = 1;
  std::uint64_t stale = 0;  ///< initial contents of the descriptors
  std::string text = kText;
};

/// Runs with one value per tile; "out" receives the prefix before each tile.
template <class T>
simulator::PlanRun run(const Trial& trial, ElementType type, const std::vector<T>& in) {
  const auto tiles = static_cast<std::int64_t>(in.size());
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = type, .count = tiles},
                        {.name = "out", .role = Role::out, .type = type, .count = tiles},
                        {.name = "descriptors", .role = Role::inout, .type = ElementType::u64, .count = tiles},
                        {.name = "counters", .role = Role::inout, .type = ElementType::u32, .count = 2}},
            .steps = {}};
  for (int i = 0; i < trial.times; ++i)
    plan.steps.push_back({.what = Launch{.entry = trial.entry,
                                         .grid = {.x = static_cast<std::uint32_t>(tiles)},
                                         .block = {.x = 64},
                                         .shared_bytes = 0,
                                         .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("descriptors"),
                                                       pointer_to("counters")},
                                         .cooperative = false}});
  simulator::SimulationOptions options;
  options.schedule = {.seed = trial.seed, .resident_blocks = trial.resident_blocks};
  options.limits.steps = 2'000'000;
  return simulator::run_plan(plan, "kernels/block/look_back.cuh",
                             {simulator::bytes_of(in), simulator::bytes_of(in),
                              simulator::bytes_of(std::vector<std::uint64_t>(in.size(), trial.stale)),
                              simulator::bytes_of(std::vector<unsigned>(2))},
                             options, trial.text);
}

std::vector<unsigned> maps(std::size_t count) {
  std::vector<unsigned> made(count);
  for (unsigned i = 0; i < count; ++i) made[i] = (2 * (i * 7919U % 101U) + 1) << 16 | (i * 31U + 5U) % 65536U;
  return made;
}

std::vector<unsigned> before_each(const std::vector<unsigned>& in) {
  std::vector<unsigned> before;
  unsigned all = 0x10000U;
  for (const unsigned map : in) {
    before.push_back(all);
    all = affine(all, map);
  }
  return before;
}

bool is_zero(const Bytes& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

TEST(LookBack, EveryTileGetsThePrefixBeforeItInAnySchedule) {
  for (const int window : {1, 32})
    for (const std::size_t tiles : {1U, 2U, 31U, 32U, 33U, 34U, 65U, 100U})
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Trial trial{.entry = fmt::format("prefixes<unsigned, affine, {}>", window),
                          .seed = seed,
                          .resident_blocks = seed % 3 == 0 ? 0 : static_cast<int>(seed * seed)};
        const auto [execution, buffers] = run(trial, ElementType::u32, maps(tiles));
        ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
        ASSERT_EQ(simulator::values_of<unsigned>(buffers.at("out")), before_each(maps(tiles)))
            << tiles << " tiles, window " << window << ", seed " << seed;
      }
}

TEST(LookBack, ALaunchRestoresItsStateForTheNextOne) {
  for (const int window : {1, 32})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Trial trial{.entry = fmt::format("prefixes<unsigned, affine, {}>", window), .seed = seed, .times = 3};
      const auto [execution, buffers] = run(trial, ElementType::u32, maps(40));
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      EXPECT_EQ(simulator::values_of<unsigned>(buffers.at("out")), before_each(maps(40)));
      EXPECT_TRUE(is_zero(buffers.at("descriptors")));
      EXPECT_TRUE(is_zero(buffers.at("counters")));
    }
}

TEST(LookBack, StaleDescriptorsGiveWrongPrefixes) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Trial trial{.entry = "prefixes<unsigned, affine, 32>",
                      .seed = seed,
                      .resident_blocks = 40,
                      .stale = 0x00030007'00000002ULL};
    const auto out = run(trial, ElementType::u32, maps(40)).buffers.at("out");
    if (simulator::values_of<unsigned>(out) != before_each(maps(40))) ++wrong;
  }
  EXPECT_GT(wrong, 0);
}

TEST(LookBack, SixtyFourBitValuesKeepTheirSignAndHighBits) {
  for (const int window : {1, 32}) {
    std::vector<std::int64_t> in(50);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = (i % 2 == 0 ? -1 : 1) * ((std::int64_t{1} << 40) + static_cast<std::int64_t>(i * i));
    const Trial trial{.entry = fmt::format("prefixes<long long, add, {}>", window), .seed = 5};
    const auto [execution, buffers] = run(trial, ElementType::i64, in);
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const auto out = simulator::values_of<std::int64_t>(buffers.at("out"));
    std::int64_t before = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(out[i], before) << i;
      before += in[i];
    }
  }
}

TEST(LookBack, TilesByBlockNumberInsteadOfTicketHangInSomeSchedule) {
  std::string text = kText;
  const std::string ticket = "warpwright::block::next_tile(counters)";
  text.replace(text.find(ticket), ticket.size(), "blockIdx.x");
  int hangs = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Trial trial{.entry = "prefixes<unsigned, affine, 32>", .seed = seed, .resident_blocks = 2, .text = text};
    const auto execution = run(trial, ElementType::u32, maps(20)).execution;
    if (!execution.clean() && execution.findings[0].kind == FindingKind::hang) ++hangs;
  }
  EXPECT_GT(hangs, 0);
}

TEST(LookBack, ZeroingBeforeAllBlocksAreDoneIsARace) {
  std::string text = kText;
  const std::string departure = "const unsigned departed = warpwright::block::depart(counters + 1);";
  text.replace(text.find(departure), departure.size(), "const unsigned departed = static_cast<unsigned>(tile);");
  int races = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Trial trial{.entry = "prefixes<unsigned, affine, 32>", .seed = seed, .text = text};
    const auto execution = run(trial, ElementType::u32, maps(20)).execution;
    if (!execution.clean() && execution.findings[0].kind == FindingKind::race) ++races;
  }
  EXPECT_GT(races, 0);
}

}  // namespace
}  // namespace warpwright
