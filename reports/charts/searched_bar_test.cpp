// Tests of the searched bar.
#include "reports/charts/searched_bar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SearchedBarChart, SaysHowMuchOfTheSpaceWasTried) {
  const std::string html = searched_bar({117, 252});
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='46.43%'/>"));
  EXPECT_THAT(html, HasSubstr("<span>46 %</span>"));
  EXPECT_THAT(html, HasSubstr("title='117 of 252 configurations'"));
}

TEST(SearchedBarChart, APredictionIsHatched) {
  EXPECT_THAT(searched_bar({1, 2, true}), HasSubstr("<rect class='hatched' width='50%'/>"));
}

TEST(SearchedBarChart, OnlyAllIsAHundredPercentAndLittleIsNotZero) {
  EXPECT_THAT(searched_bar({999, 1000}), HasSubstr("<span>99 %</span>"));
  EXPECT_THAT(searched_bar({1000, 1000}), HasSubstr("<span>100 %</span>"));
  EXPECT_THAT(searched_bar({4, 1000}), HasSubstr("<span>0.4 %</span>"));
  EXPECT_THAT(searched_bar({1, 100000}), HasSubstr("<span>0.001 %</span>"));
}

TEST(SearchedBarChart, WithoutAKnownSpaceItHasNoBar) {
  const std::string html = searched_bar({1117});
  EXPECT_THAT(html, HasSubstr("1,117 tried"));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
}

}  // namespace
}  // namespace warpwright::reports::charts
