// Tests of the error strip.
#include "reports/charts/error_strip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;

TEST(ErrorStripChart, TheAxisEndsAtTheBoundOrBeyond) {
  const ErrorAxis axis = error_axis({0.012, 0.0, std::nullopt});
  EXPECT_EQ(axis.smallest, -3);
  EXPECT_EQ(axis.largest, 0);
  EXPECT_EQ(error_axis({3.0, 1e-5}).largest, 1);
  EXPECT_EQ(error_axis({3.0, 1e-5}).smallest, -5);
}

TEST(ErrorStripChart, ADotStandsAtTheLargestError) {
  EXPECT_THAT(error_strip(0.1, {-3, 0}), HasSubstr("<circle class='dot' cx='66.67%' cy='50%'/>"));
  EXPECT_THAT(error_strip(0.1, {-3, 0}), HasSubstr("<line class='ceiling' x1='100%' x2='100%'"));
  EXPECT_THAT(error_header({-3, 0}), HasSubstr("x='100%' y='.9em'>100 %</text>"));
}

TEST(ErrorStripChart, AnErrorBeyondTheBoundIsBad) {
  EXPECT_THAT(error_strip(10, {-3, 1}), HasSubstr("<circle class='dot bad' cx='100%'"));
}

TEST(ErrorStripChart, NoErrorAndAnUnknownErrorAreWords) {
  EXPECT_EQ(error_strip(0, {}), "<span class='no-error'>exact</span>");
  EXPECT_EQ(error_strip(std::nullopt, {}), "<span class='no-error'>not known</span>");
}

}  // namespace
}  // namespace warpwright::reports::charts
