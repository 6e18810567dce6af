// Tests of predicted against measured times.
#include "reports/charts/model_scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ModelScatterChart, BothAxesAreAlike) {
  // 10 to 1,000 with a margin of 6 %: 5.36 %, 50 %, 94.64 %.
  const std::string html = model_scatter({{{{1, "best"}, 10, 100}, {{2, "other"}, 1000, 1000}}});
  EXPECT_THAT(html, HasSubstr("<circle class='dot best' cx='5.36%' cy='50%'>"));
  EXPECT_THAT(html, HasSubstr("<circle class='dot' cx='94.64%' cy='5.36%'>"));
  EXPECT_THAT(html, HasSubstr("2 other: predicted 1,000.0, measured 1,000.0"));
  EXPECT_THAT(html, HasSubstr("d='M0 100 100 0'"));
}

TEST(ModelScatterChart, TheBandHasTheWidthOfEqualTimes) {
  // The axis is a factor of 4.73 wide; twice as long is 44.64 % of it.
  EXPECT_THAT(model_scatter({{{{1, "best"}, 10, 10}}, 1.0}),
              HasSubstr("d='M0 55.36 55.36 0 100 0 100 44.64 44.64 100 0 100z'"));
  EXPECT_THAT(model_scatter({{{{1, "best"}, 10, 10}}}), Not(HasSubstr("'equal'")));
}

TEST(ModelScatterChart, WithoutDotsItIsASentence) {
  EXPECT_THAT(model_scatter({}), HasSubstr("No kernel has both a measured and a predicted time."));
}

}  // namespace
}  // namespace warpwright::reports::charts
