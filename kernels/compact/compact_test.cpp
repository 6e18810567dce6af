// Tests of the pattern compact: sizes of its spaces, plans at edge sizes, refusals, data, oracle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/compact/compact_fixture.hpp"

namespace warpwright::compact {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Point> points_of(const std::string& name, const Device& device, ElementType type = ElementType::f32) {
  return kernel(name).space.points({.types = {type}, .device = device});
}

std::vector<Bytes> run_single_pass(const std::string& params, const Problem& problem, const std::vector<Bytes>& inputs,
                                   std::uint64_t seed = 0) {
  return run_plan(plan_of("single_pass", params, problem), kernel("single_pass").source, problem, inputs,
                  {.seed = seed});
}

template <class T>
T first_of(const Bytes& bytes) {
  return values_of<T>(bytes).at(0);
}

TEST(Compact, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> known{{"pack", {288, 288}},
                                                                         {"partition", {456, 576}},
                                                                         {"single_pass", {456, 576}},
                                                                         {"split", {288, 288}},
                                                                         {"stream", {6804, 5652}}};
  const auto kernels = catalogue().matching("compact");
  EXPECT_EQ(kernels.size(), known.size());
  for (const Kernel* one : kernels)
    EXPECT_EQ(std::pair(points_of(one->name, Device{}).size(), points_of(one->name, hopper()).size()),
              known.at(one->name))
        << one->name;
}

TEST(Compact, DefaultsAreValidForEveryType) {
  for (const Kernel* one : catalogue().matching("compact"))
    for (const auto& types : pattern().types)
      for (const Device& device : {Device{}, hopper()})
        EXPECT_EQ(one->space.rejected_by(one->default_point, {.types = types, .device = device}), "") << one->name;
}

TEST(Compact, KernelsOfThreeLaunchesCountScanAndWriteTilesOfAnyNumber) {
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const auto& [name, op] : std::map<std::string, std::string>{{"pack", "select"}, {"partition", "partition"}})
    for (const Point& point : points_of(name, Device{})) {
      EXPECT_TRUE(launches_of(kernel(name).plan(point, array(0, {{"op", op}}), Device{})).empty());
      const auto launches = launches_of(kernel(name).plan(point, array(count, {{"op", op}}), Device{}));
      ASSERT_EQ(launches.size(), 3U);
      EXPECT_EQ(launches[0].launch.grid.x, divide_up(count, kernel(name).tile(point)[0]));
      EXPECT_EQ(launches[1].launch.grid.x, 1U);
      EXPECT_EQ(launches[2].launch.grid, launches[0].launch.grid);
    }
}

TEST(Compact, KernelsRefuseOperationsThatTheyDoNotImplement) {
  const std::map<std::string, std::string> solves{{"pack", "select"},
                                                  {"single_pass", "select"},
                                                  {"stream", "select"},
                                                  {"partition", "partition"},
                                                  {"split", "split"}};
  for (const auto& [name, op] : solves)
    for (const std::string& asked : pattern().variants.at("op")) {
      const std::string refusal = kernel(name).refuses(kernel(name).default_point, array(9, {{"op", asked}}), hopper());
      EXPECT_EQ(refusal, asked == op ? "" : "solves op=" + op) << name;
    }
  EXPECT_THAT(kernel("stream").refuses(kernel("stream").default_point, array(9), Device{}), HasSubstr("sm_90"));
}

TEST(Compact, ARejectedPointNamesItsConstraint) {
  const auto why = [](const std::string& text, ElementType type, const Device& device) {
    return kernel("single_pass")
        .space.rejected_by(kernel("single_pass").space.parse(text, kernel("single_pass").default_point),
                           {.types = {type}, .device = device});
  };
  EXPECT_EQ(why("{.coarsening = 32}", ElementType::f64, hopper()), "at most 128 bytes held a thread");
  EXPECT_EQ(why("{.block_size = 256, .min_blocks = 2}", ElementType::f32, hopper()),
            "launch bounds ask for 1024 threads an SM, or for nothing");
  const std::string large = "{.block_size = 1024, .coarsening = 32, .store = staged}";
  EXPECT_EQ(why(large, ElementType::f32, Device{}), "shared memory holds what is staged");
  EXPECT_EQ(why(large, ElementType::f32, hopper()), "");
}

TEST(Compact, AnEmptyArraySetsTheCountAndLaunchesNothing) {
  for (const Point& point : points_of("single_pass", Device{})) {
    const Plan plan = kernel("single_pass").plan(point, array(0), Device{});
    ASSERT_TRUE(launches_of(plan).empty());
    ASSERT_EQ(plan.steps.size(), 1U);
    EXPECT_EQ(std::get<Memset>(plan.steps[0].what).buffer, "count");
  }
  EXPECT_EQ(run_single_pass("{}", array(0), {{}}), expected(array(0), {{}}));
}

TEST(Compact, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const Point& point : points_of("single_pass", hopper())) {
    const auto launches = launches_of(kernel("single_pass").plan(point, array(count), hopper()));
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].launch.grid.x, divide_up(count, kernel("single_pass").tile(point)[0]));
  }
}

TEST(Compact, DescriptorsAreZeroedByATimedStepOrByTheLastBlock) {
  for (const auto& [name, op] :
       std::map<std::string, std::string>{{"single_pass", "select"}, {"stream", "select"}, {"split", "split"}}) {
    const Plan by_step = plan_of(name, "{.restore = memset}", array(100'000, {{"op", op}}));
    ASSERT_EQ(by_step.steps.size(), 2U);
    EXPECT_EQ(std::get<Memset>(by_step.steps[0].what).buffer, "descriptors");
    EXPECT_TRUE(by_step.steps[0].timed);
    EXPECT_FALSE(by_step.buffer("descriptors").self_restoring);
    const Plan by_block = plan_of(name, "{.restore = last_block}", array(100'000, {{"op", op}}));
    EXPECT_EQ(by_block.steps.size(), 1U);
    EXPECT_TRUE(by_block.buffer("descriptors").self_restoring);
  }
}

TEST(Compact, TheOracleKeepsNanAndDropsZerosOfEitherSignAsThePredicatesSay) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Bytes input = bytes_of(std::vector{nan, -0.0F, 2.0F, 0.0F, -3.0F, 0x1p-149F});
  const auto positive = expected(array(6), {input});
  EXPECT_EQ(first_of<std::int64_t>(positive[1]), 2);
  EXPECT_THAT(values_of<float>(positive[0]), ElementsAre(2.0F, 0x1p-149F, 0, 0, 0, 0));
  const auto non_zero = expected(array(6, {{"predicate", "non_zero"}}), {input});
  EXPECT_EQ(first_of<std::int64_t>(non_zero[1]), 4);
  EXPECT_TRUE(std::isnan(first_of<float>(non_zero[0])));
  EXPECT_EQ(values_of<float>(non_zero[0])[2], -3.0F);
}

TEST(Compact, DataSetsKeepTheirShareOfEveryTypeUnderBothPredicates) {
  constexpr std::int64_t kCount = 40'000;
  for (const auto& types : pattern().types)
    for (const auto& [data, part] : std::map<std::string, double>{
             {"kept:0", 0}, {"kept:0.1", 0.1}, {"kept:0.5", 0.5}, {"kept:0.9", 0.9}, {"kept:1", 1}})
      for (const char* predicate : {"positive", "non_zero"}) {
        const Problem problem = array(kCount, {{"data", data}, {"predicate", predicate}}, types[0]);
        const auto inputs = own_data(problem, 3);
        const auto kept = static_cast<double>(first_of<std::int64_t>(expected(problem, inputs)[1]));
        EXPECT_NEAR(kept / kCount, part, part * (1 - part) * 0.05) << problem_text(problem);
      }
}

TEST(Compact, ClusteredDataComeInRuns) {
  const auto changes = [](const std::string& data) {
    const Problem problem = array(40'000, {{"data", data}});
    const auto elements = values_of<float>(own_data(problem, 3)[0]);
    int count = 0;
    for (std::size_t i = 1; i < elements.size(); ++i) count += (elements[i] > 0) != (elements[i - 1] > 0) ? 1 : 0;
    return count;
  };
  EXPECT_GT(changes("kept:0.5"), 19'000);
  EXPECT_GT(changes("clustered:0.5"), 0);
  EXPECT_LT(changes("clustered:0.5"), 10);
}

TEST(Compact, WorkCountsTheExpectedOutput) {
  const Work tenth = pattern().work(array(1000, {{"data", "kept:0.1"}}, ElementType::f64));
  EXPECT_EQ(tenth.bytes_read, 8000);
  EXPECT_DOUBLE_EQ(tenth.bytes_written, 808);
  EXPECT_EQ(pattern().work(array(1000, {{"data", "clustered:0.5"}})).bytes_written, 2008);
}

}  // namespace
}  // namespace warpwright::compact
