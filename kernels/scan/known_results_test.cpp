// Tests of known results of scans: examples, exact sums, counts of additions, bank conflicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "kernels/scan/scan_fixture.hpp"

namespace warpwright::scan {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::ElementsAre;

TEST(ScanKnown, KnownExamplesComeOutOfEveryKernel) {
  for (const auto& [name, text] : small_tiles()) {
    EXPECT_THAT(scanned<float>(name, text, {3, 1, 7, 0, 4, 1, 6, 3}), ElementsAre(3, 4, 11, 11, 15, 16, 22, 25))
        << name;
  }
  for (const char* name : {"blelloch", "warp_shuffle"}) {
    const std::string& text = small_tiles().at(name);
    EXPECT_THAT(scanned<float>(name, text, {3, 1, 7, 0, 4, 1, 6, 3}, {{"kind", "exclusive"}}),
                ElementsAre(0, 3, 4, 11, 11, 15, 16, 22))
        << name;
    EXPECT_THAT(scanned<float>(name, text, {1, 2, 3, 4, 5, 6}, {{"op", "product"}}), ElementsAre(1, 2, 6, 24, 120, 720))
        << name;
  }
}

TEST(ScanKnown, KnownRandomNumbersHaveTheirKnownPrefixes) {
  std::srand(2019);
  std::vector<float> in(16);
  for (float& number : in)
    number = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;  // NOLINT: the published numbers
  EXPECT_NEAR(in[3], 0.2750, 1e-4);
  for (const auto& [name, text] : small_tiles()) {
    const auto prefixes = scanned(name, text, in);
    EXPECT_NEAR(prefixes[3], -0.6742, 1e-4) << name;
    EXPECT_NEAR(prefixes[14], 0.3091, 1e-4) << name;
    EXPECT_NEAR(prefixes[15], 0.7960, 1e-4) << name;
  }
}

TEST(ScanKnown, BlockSumsOfTheHierarchicalExample) {
  // Four tiles of 32, each with four values followed by zeros.
  std::vector<int> in(128);
  const int values[4][4] = {{2, 1, 3, 1}, {0, 4, 1, 2}, {0, 3, 1, 2}, {5, 1, 2, 3}};
  for (std::size_t tile = 0; tile < 4; ++tile)
    for (std::size_t i = 0; i < 4; ++i) in[tile * 32 + i] = values[tile][i];
  const auto [execution, buffers] = run("kogge_stone", "{.block_size = 32, .coarsening = 1, .vector_width = 1}",
                                        array(128, {}, ElementType::i32), bytes_of(in));
  ASSERT_TRUE(execution.clean());
  EXPECT_THAT(values_of<int>(buffers.at("totals_0")), ElementsAre(0, 7, 14, 20)) << "what lies before each tile";
  EXPECT_THAT(values_of<int>(buffers.at("totals_1")), ElementsAre(31));
  const auto out = values_of<int>(buffers.at("out"));
  const auto tile = [&](std::ptrdiff_t number) {
    return std::vector<int>(out.begin() + number * 32, out.begin() + number * 32 + 4);
  };
  EXPECT_THAT(tile(1), ElementsAre(7, 11, 12, 14));
  EXPECT_THAT(tile(2), ElementsAre(14, 17, 18, 20));
  EXPECT_EQ(out[127], 31);
}

TEST(ScanKnown, TheBlockSizeShowsInTheLastBitsOfAMillionCopies) {
  // Kogge-Stone in the tiles; their totals are scanned by Kogge-Stone too, or by Hillis-Steele over all of them; then
  // the prefix before each tile is added. All complete tiles have the same total, so one tile and the scan of its total
  // represent all.
  constexpr int kCount = 1'000'000;
  const auto last = [](int block, const std::string& name_for_totals, const std::string& params_for_totals) {
    const std::string text = fmt::format("{{.block_size = {}, .coarsening = 1, .vector_width = 1}}", block);
    const auto one = scanned("kogge_stone", text, std::vector<float>(static_cast<std::size_t>(block), 1.23F));
    const std::vector<float> totals(static_cast<std::size_t>(kCount / block), one.back());
    const auto before = scanned(name_for_totals, params_for_totals, totals);
    std::vector<float> results;
    for (std::size_t i = kCount - 10; i < kCount; ++i) {
      const std::size_t tile = i / static_cast<std::size_t>(block);
      results.push_back(before[tile - 1] + one[i % static_cast<std::size_t>(block)]);
    }
    return results;
  };
  EXPECT_THAT(last(1024, "kogge_stone", "{.block_size = 1024, .coarsening = 1, .vector_width = 1}"),
              ElementsAre(1229988.875F, 1229990.125F, 1229991.375F, 1229992.625F, 1229993.875F, 1229995, 1229996.25F,
                          1229997.5F, 1229998.75F, 1230000));
  EXPECT_EQ(last(32, "hillis_steele", "{.block_size = 256}")[5], 1229995.125F);
  float serial = 0;
  for (int i = 0; i < kCount; ++i) serial += 1.23F;
  EXPECT_EQ(serial, 1239323.375F);
}

/// Counts the combinations in one tile of each kernel: the sum operator counts its own calls, which the simulator
/// cannot see.
constexpr const char* kCounting = R"(
namespace warpwright {
inline unsigned additions;
WARPWRIGHT_UNSEEN inline void count_one() { ++additions; }
WARPWRIGHT_UNSEEN inline unsigned counted() { const unsigned all = additions; additions = 0; return all; }
struct counting_sum : block::sum {
  static __device__ float combine(float a, float b) { count_one(); return a + b; }
};
__global__ void read_count(unsigned* count) { *count = counted(); }
}
)";

unsigned additions(const std::string& kernel, const std::string& entry, std::int64_t elements, std::uint32_t threads) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::f32, .count = elements},
                        {.name = "out", .role = Role::out, .type = ElementType::f32, .count = elements},
                        {.name = "totals", .role = Role::out, .type = ElementType::f32, .count = 1},
                        {.name = "count", .role = Role::out, .type = ElementType::u32, .count = 1}},
            .steps = {}};
  std::vector<Argument> arguments{pointer_to("in"), pointer_to("out")};
  if (kernel != "naive") arguments.push_back(pointer_to("totals"));
  arguments.push_back(value(elements));
  plan.steps.push_back({.what = Launch{.entry = entry,
                                       .grid = {.x = 1},
                                       .block = {.x = threads},
                                       .shared_bytes = 1 << 15,
                                       .arguments = arguments}});
  plan.steps.push_back({.what = Launch{.entry = "warpwright::read_count",
                                       .grid = {.x = 1},
                                       .block = {.x = 1},
                                       .arguments = {pointer_to("count")}}});
  simulator::SimulationOptions options;
  options.device = device_with(90);
  const auto [execution, buffers] =
      simulator::run_plan(plan, "kernels/scan/" + kernel + ".cuh",
                          {bytes_of(std::vector<float>(static_cast<std::size_t>(elements), 1.0F))}, options, kCounting);
  EXPECT_TRUE(execution.clean()) << describe(execution.findings[0]);
  EXPECT_EQ(values_of<float>(buffers.at("out")).back(), static_cast<float>(elements));
  return values_of<unsigned>(buffers.at("count"))[0];
}

unsigned additions_of(const std::string& kernel, int elements, int threads, const std::string& more = "") {
  return additions(kernel,
                   fmt::format("warpwright::scan::{0}<float, warpwright::counting_sum, "
                               "warpwright::scan::kind::inclusive, warpwright::scan::{0}_params{{.block_size = {1}, "
                               ".coarsening = {2}{3}}}>",
                               kernel, threads, elements / threads, more),
                   elements, static_cast<std::uint32_t>(threads));
}

TEST(ScanKnown, AlgorithmsMakeTheirKnownNumberOfAdditions) {
  const std::string one = ", .vector_width = 1";
  for (const char* buffering : {"temporary", "double_buffer"}) {
    const std::string with = one + ", .buffering = warpwright::scan::buffering::" + buffering;
    EXPECT_EQ(additions_of("kogge_stone", 16, 16, with), 49U);
    EXPECT_EQ(additions_of("kogge_stone", 512, 256, with), 4097U);
    EXPECT_EQ(additions_of("kogge_stone", 1024, 512, with), 9217U);
  }
  for (const char* mapping : {"modulo", "contiguous"}) {
    const std::string with = one + ", .mapping = warpwright::block::mapping::" + mapping;
    EXPECT_EQ(additions_of("brent_kung", 16, 16, with), 26U);
    EXPECT_EQ(additions_of("brent_kung", 512, 256, with), 1013U);
    EXPECT_EQ(additions_of("brent_kung", 1024, 512, with), 2036U);
  }
  // 2 (N - T) + T log2 T = 2304 for 1024 elements and 64 threads includes additions to an empty prefix, which are not
  // made: 63 in the levels over the totals, and 15 in the first thread.
  EXPECT_EQ(additions_of("coarsened", 1024, 64, one), 2304U - 63 - 15);
  // Both sweeps, and one addition per element to make the scan inclusive.
  EXPECT_EQ(additions_of("blelloch", 512, 256, one), 2U * 511 + 512);
  EXPECT_EQ(additions_of("naive", 128, 128), 128U * 127 / 2);
}

TEST(ScanKnown, PaddingRemovesTheBankConflictsOfTrees) {
  // The wavefronts of both sweeps.
  const auto wavefronts = [](int elements, int pad, int every) {
    const int threads = elements / 2;
    const auto result = run("blelloch",
                            fmt::format("{{.block_size = {}, .coarsening = 2, .vector_width = 1, .bank_pad = {}, "
                                        ".pad_every = {}}}",
                                        threads, pad, every),
                            array(elements), bytes_of(std::vector<float>(static_cast<std::size_t>(elements), 1.0F)));
    EXPECT_TRUE(result.execution.clean());
    std::uint64_t sweeps = 0;
    for (const simulator::LineAccess& line : result.execution.lines)
      if (line.file == "kernels/block/scan_tree.cuh" || line.file == "kernels/block/blelloch.cuh")
        sweeps += line.counts.shared_load_wavefronts + line.counts.shared_store_wavefronts;
    // Between the sweeps one thread reads the total, keeps it and stores a zero; at the end every warp reads the total.
    return sweeps - 3 - static_cast<std::uint64_t>(threads) / 32;
  };
  EXPECT_EQ(wavefronts(512, 0, 32), 665U);
  EXPECT_EQ(wavefronts(512, 1, 16), 238U);
  EXPECT_EQ(wavefronts(512, 1, 32), 140U);
  EXPECT_EQ(wavefronts(2048, 0, 32), 2681U);
  EXPECT_EQ(wavefronts(2048, 1, 16), 973U);
  EXPECT_EQ(wavefronts(2048, 1, 32), 511U);
}

}  // namespace
}  // namespace warpwright::scan
