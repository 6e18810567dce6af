// Tests of the speed strip.
#include "reports/charts/speed_strip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SpeedStripChart, AllRowsShareOneAxisOfPowersOfTwo) {
  const StripAxis axis = strip_axis({{.vendor = 0.118}, {.kokkos_default = 0.033}, {.vendor = 1.1}});
  EXPECT_EQ(axis.slowest, -5);
  EXPECT_EQ(axis.fastest, 1);
  // Seven octaves with the margins: one is at 5.35 of 6.7.
  EXPECT_NEAR(axis.at(1), 100 * 5.35 / 6.7, 1e-9);
  EXPECT_NEAR(axis.at(0.5), 100 * 4.35 / 6.7, 1e-9);
  EXPECT_THAT(strip_header(axis), HasSubstr("<text class='middle' x='5.22%' y='.9em'>1/32</text>"));
}

TEST(SpeedStripChart, MarksAreAtTheirSpeeds) {
  const StripAxis axis{-3, 1};
  const std::string svg = speed_strip({0.5, "CUB", 0.25, 0.125}, axis);
  EXPECT_THAT(svg, HasSubstr("<use href='#m-vendor' x='50%' y='50%'/>"));
  EXPECT_THAT(svg, HasSubstr("<use href='#m-tuned' x='28.72%' y='50%'/>"));
  EXPECT_THAT(svg, HasSubstr("<use href='#m-default' x='7.45%' y='50%'/>"));
  EXPECT_THAT(svg, HasSubstr("<line class='reach' x1='7.45%' x2='71.28%'"));
  EXPECT_THAT(svg, HasSubstr("Speed, ours = 1: CUB 0.500, Kokkos tuned 0.250, Kokkos default 0.125"));
}

TEST(SpeedStripChart, TheBackgroundRightOfOursIsTinted) {
  EXPECT_THAT(strip_grid({-3, 1}), HasSubstr("<rect class='strip-faster' x='71.28%' width='28.72%' height='100%'/>"));
}

TEST(SpeedStripChart, ASpeedBeyondTheAxisIsAnArrowAtItsEdge) {
  const StripAxis axis = strip_axis({{.vendor = 1e-4}, {.vendor = 1e3}});
  EXPECT_EQ(axis.slowest, -6);
  EXPECT_EQ(axis.fastest, 3);
  EXPECT_THAT(speed_strip({.vendor = 1e-4}, axis), HasSubstr("<use href='#m-slower' x='0%' y='50%'/>"));
  EXPECT_THAT(speed_strip({.vendor = 1e3}, axis), HasSubstr("<use href='#m-faster' x='100%' y='50%'/>"));
}

TEST(SpeedStripChart, NothingIsComparedWithAPrediction) {
  EXPECT_EQ(speed_strip({.vendor = 0.5, .measured = false}, {}), "<svg class='strip' aria-hidden='true'></svg>");
  EXPECT_EQ(strip_axis({{.vendor = 1e-3, .measured = false}}).slowest, -3);
}

TEST(SpeedStripChart, WithoutALibraryOnlyOursIsShown) {
  EXPECT_THAT(speed_strip({}, {}), Not(HasSubstr("#m-")));
}

}  // namespace
}  // namespace warpwright::reports::charts
