// Tests of the sparkline.
#include "reports/charts/sparkline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SparklineChart, LowerIsBetterAndTheNewestIsMarked) {
  const std::string svg = sparkline({{102.1, 65.2}});
  EXPECT_THAT(svg, HasSubstr("d='M0 8 100 92'"));
  EXPECT_THAT(svg, HasSubstr("<circle class='newest' cx='100%' cy='92%'/>"));
  EXPECT_THAT(svg, HasSubstr("2 sessions: 102.1, 65.2"));
}

TEST(SparklineChart, NoiseLooksFlat) {
  // 1 % of an axis that spans 10 %.
  EXPECT_THAT(sparkline({{100.5, 99.5}}), HasSubstr("d='M0 45.8 100 54.2'"));
}

TEST(SparklineChart, ASessionWithoutATimeIsAGap) {
  const std::string svg = sparkline({{10, std::nullopt, 20, 20}});
  EXPECT_THAT(svg, HasSubstr("d='M0 92h0M66.67 8 100 8'"));
  EXPECT_THAT(svg, HasSubstr("10.0, not timed, 20.0, 20.0"));
}

TEST(SparklineChart, IfTheNewestSessionHasNoTimeNoDotIsTheNewest) {
  EXPECT_THAT(sparkline({{10, 20, std::nullopt}}), Not(HasSubstr("newest")));
}

TEST(SparklineChart, WithoutALineItIsWords) {
  EXPECT_THAT(sparkline({}), HasSubstr(">not timed<"));
  EXPECT_THAT(sparkline({{std::nullopt}}), HasSubstr(">not timed<"));
  EXPECT_THAT(sparkline({{12}}), HasSubstr(">one session<"));
}

}  // namespace
}  // namespace warpwright::reports::charts
