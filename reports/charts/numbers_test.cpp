// Tests of the numbers in charts.
#include "reports/charts/numbers.hpp"

#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

TEST(ChartNumbers, ATimeForTheScriptIsRoundedOnlyWhenItIsShown) {
  EXPECT_EQ(time_us(267.2496), "267.2");
  EXPECT_EQ(script_us(267.2496), "267.2496") << "267.25 would be shown as 267.3";
}

TEST(ChartNumbers, TimesHaveOneDecimalAndThousandsSeparators) {
  EXPECT_EQ(time_us(5794.9), "5,794.9");
  EXPECT_EQ(time_us(41.26), "41.3");
  EXPECT_EQ(time_us(9.528), "9.53");
  EXPECT_EQ(time_us(0.01234), "0.0123");
  EXPECT_EQ(time_us(1e6), "1,000,000.0");
}

TEST(ChartNumbers, RatesHaveNoDecimalsFromAHundred) {
  EXPECT_EQ(rate_gbs(4291.4), "4,291");
  EXPECT_EQ(rate_gbs(87.31), "87.3");
}

TEST(ChartNumbers, SharesOfABoundHaveTwoDigits) {
  EXPECT_EQ(two_digits(1.533), "1.5");
  EXPECT_EQ(two_digits(0.008742), "0.0087");
  EXPECT_EQ(two_digits(2530), "2,530");
  EXPECT_EQ(two_digits(0), "0");
  EXPECT_EQ(two_digits(3e-7), "3e-07");
}

TEST(ChartNumbers, OnlyAFullShareIsAHundredPercent) {
  EXPECT_EQ(share_text(0.76), "76.0 %");
  EXPECT_EQ(share_text(1), "100.0 %");
  EXPECT_EQ(share_text(0.9997), "over 99.9 %");
  EXPECT_EQ(share_text(0.0001), "under 0.1 %");
  EXPECT_EQ(share_text(1.204), "120.4 %");
}

TEST(ChartNumbers, ChangesHaveAMinusOrAPlusUnlessTheyAreZero) {
  EXPECT_EQ(change_text(0.0126), "+1.3 %");
  EXPECT_EQ(change_text(-0.06), "\u22126.0 %");
  EXPECT_EQ(change_text(-0.0004), "0.0 %");
}

TEST(ChartNumbers, RatiosThatAreNotZeroAreNotPrintedAsZero) {
  EXPECT_EQ(ratio(1.16), "1.160");
  EXPECT_EQ(ratio(0.967, 2), "0.97");
  EXPECT_EQ(ratio(1234.5), "1,234");
  EXPECT_EQ(ratio(0.0003, 2), "0.0003");
  EXPECT_EQ(ratio(1e-9), "1e-09");
}

TEST(ChartNumbers, TicksAreShort) {
  EXPECT_EQ(tick(0.05), "0.05");
  EXPECT_EQ(tick(1000), "1,000");
  EXPECT_EQ(tick(50000), "50,000");
  EXPECT_EQ(tick(200000), "200k");
  EXPECT_EQ(tick(2.5e6), "2.5M");
  EXPECT_EQ(tick(0), "0");
}

TEST(ChartNumbers, PowersOfTwoAreWrittenAsSuch) {
  EXPECT_EQ(size_tick(1 << 24), "2\xC2\xB2\xE2\x81\xB4");
  EXPECT_EQ(size_tick(1000000), "1M");
  EXPECT_EQ(size_tick(64), "64");
}

TEST(ChartNumbers, CoordinatesHaveNoTrailingZeros) {
  EXPECT_EQ(place(63), "63");
  EXPECT_EQ(place(7.254), "7.25");
  EXPECT_EQ(place(-0.001), "0");
}

}  // namespace
}  // namespace warpwright::reports::charts
