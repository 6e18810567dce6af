// Tests of the searched bar.
#include "reports/charts/searched_bar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SearchedBarChart, SaysHowMuchOfTheSpaceWasTried) {
  const std::string html = searched_bar({117.0 / 252, "46 %", "117 of 252 <configurations>"});
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='46.43%'/>"));
  EXPECT_THAT(html, HasSubstr("<span>46 %</span>"));
  EXPECT_THAT(html, HasSubstr("title='117 of 252 &lt;configurations&gt;'"));
}

TEST(SearchedBarChart, APredictionIsHatched) {
  const std::string html = searched_bar({0.5, "50 %", "1 of 2", true});
  EXPECT_THAT(html, HasSubstr("<rect class='hatched' width='50%'/>"));
  EXPECT_THAT(html, HasSubstr("title='1 of 2, on the model'"));
}

TEST(SearchedBarChart, WithoutAKnownShareItHasNoBar) {
  const std::string html = searched_bar({{}, "-", "117 configurations, of how many is not known"});
  EXPECT_THAT(html, HasSubstr("<span>-</span>"));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
}

}  // namespace
}  // namespace warpwright::reports::charts
