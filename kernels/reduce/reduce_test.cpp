// The pattern reduce: sizes of its spaces, plans at the edges, oracle and bound.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/model/catalogue.hpp"

namespace warpwright {
namespace {

Problem array(std::int64_t count, const std::string& op = "sum", ElementType type = ElementType::f32) {
  return make_problem(catalogue().pattern("reduce"), type, {{"op", op}}, {count});
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
T first_of(const Bytes& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

TEST(Reduce, SpacesHaveTheirKnownNumberOfValidPoints) {
  EXPECT_EQ(catalogue().kernel("reduce/sequential").space.points().size(), 58U);
  EXPECT_EQ(catalogue().kernel("reduce/warp_shuffle").space.points().size(), 66U);
  EXPECT_EQ(catalogue().kernel("reduce/grid_stride").space.points().size(), 429U);
}

TEST(Reduce, DefaultsAreValidPoints) {
  for (const Kernel* kernel : catalogue().matching("reduce"))
    EXPECT_EQ(kernel->space.rejected_by(kernel->default_point), "") << kernel->full_name();
}

TEST(Reduce, AnEmptyArrayGivesTheIdentityWithoutALaunch) {
  for (const Kernel* kernel : catalogue().matching("reduce")) {
    const Plan plan = kernel->plan(kernel->default_point, array(0, "min"), Device{});
    EXPECT_TRUE(launches_of(plan).empty()) << kernel->full_name();
    ASSERT_EQ(plan.steps.size(), 1U);
    const auto& memset = std::get<Memset>(plan.steps[0].what);
    float identity = 0;
    std::memcpy(&identity, memset.value.bytes.data(), sizeof identity);
    EXPECT_EQ(identity, std::numeric_limits<float>::infinity());
  }
}

TEST(Reduce, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 31) + 7;
  for (const Kernel* kernel : catalogue().matching("reduce"))
    for (const Point& point : kernel->space.points()) {
      const Plan plan = kernel->plan(point, array(count), Device{});
      const auto launches = launches_of(plan);
      ASSERT_FALSE(launches.empty());
      for (const Launch& launch : launches) EXPECT_LT(launch.grid.x, 1U << 31);
      EXPECT_GT(kernel->depth(point, array(count), Device{}), 0);
    }
}

TEST(Reduce, RepeatedPlansEndInOneValue) {
  const Kernel& kernel = catalogue().kernel("reduce/sequential");
  const Point point = kernel.space.parse("{.block_size = 64, .coarsening = 1}", kernel.default_point);
  const auto launches = launches_of(kernel.plan(point, array(64 * 64 + 1), Device{}));
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].grid.x, 65U);
  EXPECT_EQ(launches[1].grid.x, 2U);
  EXPECT_EQ(launches[2].grid.x, 1U);
  EXPECT_EQ(std::get<BufferArgument>(launches[2].arguments[1]).buffer, "out");
}

TEST(Reduce, TheOracleSumsWhatAFloatSumLoses) {
  // 1e6 copies of 1.23f: exact is 1e6 * float(1.23).
  const auto expected =
      catalogue().pattern("reduce").oracle(array(1'000'000), {bytes_of(std::vector(1'000'000, 1.23F))});
  EXPECT_EQ(first_of<double>(expected[0].values), 1e6 * static_cast<double>(1.23F));
  EXPECT_EQ(expected[0].magnitude[0], 1e6 * static_cast<double>(1.23F));
}

TEST(Reduce, TheOracleIgnoresNanInMinimaAndKeepsItInSums) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Bytes input = bytes_of(std::vector{nan, 2.0F, -3.0F, nan});
  const Pattern& pattern = catalogue().pattern("reduce");
  EXPECT_EQ(first_of<float>(pattern.oracle(array(4, "min"), {input})[0].values), -3.0F);
  EXPECT_EQ(first_of<float>(pattern.oracle(array(4, "max"), {input})[0].values), 2.0F);
  EXPECT_TRUE(std::isnan(first_of<double>(pattern.oracle(array(4), {input})[0].values)));
}

TEST(Reduce, IntegerSumsWrap) {
  const Bytes input = bytes_of(std::vector{std::numeric_limits<int>::max(), 1});
  const auto expected = catalogue().pattern("reduce").oracle(array(2, "sum", ElementType::i32), {input});
  EXPECT_EQ(first_of<int>(expected[0].values), std::numeric_limits<int>::min());
}

TEST(Reduce, ExactInputsHaveABoundOfZeroAndOthersOneThatGrowsWithDepth) {
  const Pattern& pattern = catalogue().pattern("reduce");
  EXPECT_EQ(pattern.bound(array(9), Distribution::exact, 30).relative, 0);
  EXPECT_DOUBLE_EQ(pattern.bound(array(9), Distribution::uniform, 30).relative, 30 * 0x1p-24);
  EXPECT_EQ(pattern.bound(array(9, "max"), Distribution::uniform, 30).comparison, Comparison::equal);
}

}  // namespace
}  // namespace warpwright
