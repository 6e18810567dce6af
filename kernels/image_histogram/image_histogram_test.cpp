// Tests of the pattern image_histogram: space sizes, plans at edge sizes, hand-computed oracle, tiles of every
// alignment, reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::ElementsAre;
using Counts = std::vector<std::uint32_t>;

const Pattern& pattern() {
  return catalogue().pattern("image_histogram");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("image_histogram/" + name);
}

struct Tile {
  int y = 0;
  int x = 0;
};

Problem image(std::int64_t rows, std::int64_t columns, Tile tile, int bins = 8, ElementType type = ElementType::u8,
              const std::string& data = "uniform") {
  return make_problem(pattern(), {type},
                      {{"bins", std::to_string(bins)},
                       {"tile_y", std::to_string(tile.y)},
                       {"tile_x", std::to_string(tile.x)},
                       {"data", data}},
                      {rows, columns});
}

Bytes drawn(const Problem& problem, const std::string& kind = "exact") {
  return generate_inputs(pattern(), problem, {.kind = kind, .seed = 3})[0];
}

Counts expected(const Problem& problem, const Bytes& input) {
  return values_of<std::uint32_t>(pattern().oracle(problem, {input})[0].values);
}

Point params(const Kernel& of, const std::string& text) {
  return of.space.parse(text, of.default_point);
}

Counts counted(const std::string& name, const std::string& text, const Problem& problem, const Bytes& input,
               int sm_count = 1, std::uint64_t seed = 0) {
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  Device device;
  device.sm_count = sm_count;
  const Kernel& of = kernel(name);
  const Plan plan = of.plan(params(of, text), problem, device);
  const auto [execution, buffers] = simulator::run_plan(
      plan, of.source, {input, Bytes(pattern().buffers(problem)[1].bytes(), std::byte{0xC5})}, options);
  EXPECT_TRUE(execution.clean()) << name << text << describe(execution.findings[0]);
  return values_of<std::uint32_t>(buffers.at("out"));
}

TEST(ImageHistogram, SpacesHaveTheirKnownNumbersOfValidPoints) {
  const std::map<std::string, std::array<std::size_t, 2>> known{
      {"block_private", {1155, 693}}, {"global_atomic", {195, 117}}, {"warp_private", {855, 513}}};
  for (const auto& [name, sizes] : known) {
    EXPECT_EQ(kernel(name).space.points({.types = {ElementType::u8}, .device = Device{}}).size(), sizes[0]) << name;
    EXPECT_EQ(kernel(name).space.points({.types = {ElementType::u32}, .device = Device{}}).size(), sizes[1]) << name;
  }
}

TEST(ImageHistogram, DefaultsAreValidForEveryTypeAndTakeAllBins) {
  for (const Kernel* one : catalogue().matching("image_histogram/*"))
    for (const auto& types : pattern().types) {
      EXPECT_EQ(one->space.rejected_by(one->default_point, {.types = types, .device = Device{}}), "");
      EXPECT_EQ(one->refuses(one->default_point, image(9, 9, {3, 3}, 4096, types[0]), Device{}), "") << one->name;
    }
}

TEST(ImageHistogram, CopiesThatDoNotFitAreRefused) {
  EXPECT_EQ(kernel("block_private")
                .refuses(params(kernel("block_private"), "{.copies = 32}"), image(9, 9, {3, 3}, 513), Device{}),
            "needs 65664 bytes of shared memory, of which a block has 65536");
}

TEST(ImageHistogram, AnEmptyImageHasNoTilesAndLaunchesNothing) {
  for (const Kernel* one : catalogue().matching("image_histogram/*"))
    for (const auto& [rows, columns] : {std::pair{0, 0}, std::pair{5, 0}, std::pair{0, 5}}) {
      const Problem problem = image(rows, columns, {2, 2});
      EXPECT_EQ(pattern().buffers(problem)[1].count, 0);
      EXPECT_TRUE(launches_of(one->plan(one->default_point, problem, Device{})).empty());
      EXPECT_TRUE(expected(problem, {}).empty());
    }
}

TEST(ImageHistogram, TheOracleCountsRaggedTilesRowByRow) {
  // 3 x 5 pixels in tiles of 2 x 3: 2 x 3 and 2 x 2 above, 1 x 3 and 1 x 2 below.
  const std::vector<std::uint8_t> pixels{0, 0, 1, 2, 2,  //
                                         0, 1, 1, 2, 9,  //
                                         1, 2, 0, 0, 1};
  EXPECT_THAT(expected(image(3, 5, {2, 3}, 3), bytes_of(pixels)), ElementsAre(3, 3, 0, 0, 0, 3, 1, 1, 1, 1, 1, 0));
}

TEST(ImageHistogram, OneTileIsTheHistogramOfTheWholeImage) {
  const Problem problem = image(40, 30, {64, 64}, 16, ElementType::u16, "zipf");
  const Counts counts = expected(problem, drawn(problem, std::string(kOwnData)));
  ASSERT_EQ(counts.size(), 16U);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 1200U);
}

TEST(ImageHistogram, RowsOfEveryAlignmentAreCounted) {
  for (const char* name : {"global_atomic", "block_private", "warp_private"})
    for (const int columns : {15, 16, 17, 31, 48})
      for (const int across : {1, 5, 16, 17}) {
        const Problem problem = image(6, columns, {4, across});
        EXPECT_EQ(
            counted(name, "{.block_size = 64, .vector_width = 16, .loads_in_flight = 2}", problem, drawn(problem)),
            expected(problem, drawn(problem)))
            << name << ' ' << problem_text(problem);
      }
}

TEST(ImageHistogram, BlocksTakeSeveralTiles) {
  const Problem problem = image(20, 21, {2, 3}, 33);
  const Bytes input = drawn(problem);
  for (const char* name : {"global_atomic", "block_private", "warp_private"}) {
    const std::string text = "{.block_size = 512, .grid_blocks_per_sm = 2}";
    const Kernel& of = kernel(name);
    Device device;
    device.sm_count = 1;
    EXPECT_EQ(launches_of(of.plan(params(of, text), problem, device))[0].launch.grid.x, 2U);
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      EXPECT_EQ(counted(name, text, problem, input, 1, seed), expected(problem, input)) << name;
  }
}

TEST(ImageHistogram, LargeImagesHaveAGridThatFits) {
  const Problem large = image(std::int64_t{1} << 20, std::int64_t{1} << 16, {16, 16}, 2);
  for (const Kernel* one : catalogue().matching("image_histogram/*")) {
    const Plan plan = one->plan(one->default_point, large, Device{});
    EXPECT_EQ(plan.buffer("out").count, std::int64_t{1} << 29);
    EXPECT_LE(launches_of(plan)[0].launch.grid.x, 132U * 32) << one->name;
  }
}

TEST(ImageHistogram, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const auto& types : pattern().types)
    for (const std::int64_t columns : {0, 1, 50}) {
      const Problem problem = image(37, columns, {8, 7}, 100, types[0]);
      const Bytes input = drawn(problem);
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, {input});
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      EXPECT_EQ(values_of<std::uint32_t>(buffers.at("out.expected")), expected(problem, input));
    }
}

}  // namespace
}  // namespace warpwright
