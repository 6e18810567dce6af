// Tests of scales and their ticks.
#include "reports/charts/scale.hpp"

#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using Values = std::vector<double>;

TEST(ChartScale, MapsItsEndsToTheEndsOfTheChart) {
  const Scale linear(Growth::linear, 10, 30);
  EXPECT_DOUBLE_EQ(linear.at(10), 0);
  EXPECT_DOUBLE_EQ(linear.at(15), 25);
  EXPECT_DOUBLE_EQ(linear.at(40), 150);
  EXPECT_DOUBLE_EQ(linear.clamped(40), 100);
  const Scale logarithmic(Growth::logarithmic, 1, 100);
  EXPECT_DOUBLE_EQ(logarithmic.at(10), 50);
}

TEST(ChartScale, TicksAreRoundNumbers) {
  EXPECT_EQ(Scale(Growth::linear, 0, 324).ticks(), (Values{0, 100, 200, 300}));
  EXPECT_EQ(Scale(Growth::logarithmic, 20, 400).ticks(), (Values{20, 50, 100, 200}));
}

TEST(ChartScale, ANarrowLogarithmicScaleHasEvenTicks) {
  const Values ticks = Scale(Growth::logarithmic, 0.9, 1.6).ticks(4);
  ASSERT_EQ(ticks.size(), 4U);
  EXPECT_NEAR(ticks[0], 1, 1e-9);
  EXPECT_NEAR(ticks[1], 1.2, 1e-9);
}

TEST(ChartScale, AWideLogarithmicScaleLeavesOutPowersOfTen) {
  EXPECT_EQ(Scale(Growth::logarithmic, 1e-3, 1e6).ticks(), (Values{1e-2, 1, 1e2, 1e4, 1e6}));
}

TEST(ChartScale, FromZeroEndsAtARoundNumber) {
  EXPECT_DOUBLE_EQ(from_zero(4291).high(), 5000);
  EXPECT_DOUBLE_EQ(from_zero(0).high(), 1);
}

TEST(ChartScale, AroundSpansAtLeastTheFactorAndLeavesOutValuesWithoutALogarithm) {
  const Scale one = around({5}, 4, 0);
  EXPECT_NEAR(one.low(), 2.5, 1e-9);
  EXPECT_NEAR(one.high(), 10, 1e-9);
  EXPECT_NEAR(around({0, -1, 1, 100}, 2, 0).low(), 1, 1e-9);
  EXPECT_DOUBLE_EQ(around({}).high(), 10);
}

}  // namespace
}  // namespace warpwright::reports::charts
