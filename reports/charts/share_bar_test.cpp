// Tests of the share bar.
#include "reports/charts/share_bar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ShareBarChart, IsAsLongAsTheShareWithATickForEachOtherProblem) {
  const std::string svg = share_bar({0.762, {0.6, 0.85}});
  EXPECT_THAT(svg, HasSubstr("<rect class='fill' width='76.2%'/>"));
  EXPECT_THAT(svg, HasSubstr("<line class='tick' x1='60%' x2='60%' y2='100%'/>"));
  EXPECT_THAT(svg, HasSubstr("76.2 % of the ceiling; 2 other problems: 60.0 % to 85.0 %"));
}

TEST(ShareBarChart, WithoutACeilingIsADashedBox) {
  const std::string svg = share_bar({});
  EXPECT_THAT(svg, HasSubstr("class='share unknown'"));
  EXPECT_THAT(svg, HasSubstr("no ceiling"));
  EXPECT_THAT(svg, Not(HasSubstr("'fill'")));
}

TEST(ShareBarChart, APredictionIsHatched) {
  EXPECT_THAT(share_bar({0.5, {}, true}), HasSubstr("<rect class='hatched' width='50%'/>"));
}

TEST(ShareBarChart, AShareBeyondTheCeilingEndsThereWithAnArrow) {
  const std::string svg = share_bar({1.3});
  EXPECT_THAT(svg, HasSubstr("width='100%'/><use href='#m-faster'"));
  EXPECT_THAT(svg, HasSubstr("130.0 %"));
}

}  // namespace
}  // namespace warpwright::reports::charts
