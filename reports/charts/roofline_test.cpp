// Tests of the roofline.
#include "reports/charts/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// The axes have a margin of a tenth of their span, and span at least a factor of 4.
Roofline memory_bound() {
  return {.dots = {{{1, "best"}, 1, 100, 5}, {{2, "slow"}, 0.25, 25, 20}},
          .memory_gbs = 200,
          .memory_name = "memory: 200 GB/s",
          .peak_gops = 1e5,
          .peak_name = "100 Tadd/s"};
}

TEST(RooflineChart, KernelsAreAtTheirIntensityAndBelowTheRoof) {
  const std::string html = roofline(memory_bound());
  EXPECT_THAT(html, HasSubstr("<circle class='dot best' cx='91.67%'"));
  EXPECT_THAT(html, HasSubstr("<circle class='dot' cx='8.33%'"));
  EXPECT_THAT(html, HasSubstr("best at 100 Gop/s and 1 operations a byte, below a roof of 200 Gop/s"));
  EXPECT_THAT(html, HasSubstr("1 best: 100 Gop/s, 1 operations a byte, 5.00"));
}

TEST(RooflineChart, AKernelAboveTheRoofIsNotCalledBelowIt) {
  Roofline chart = memory_bound();
  chart.dots.front().gops = 300;
  EXPECT_THAT(roofline(chart), HasSubstr("best at 300 Gop/s and 1 operations a byte, above a roof of 200 Gop/s"));
}

TEST(RooflineChart, TheWholeRoofIsAnInsetIfTheZoomLeavesOutItsFlatPart) {
  EXPECT_THAT(roofline(memory_bound()), HasSubstr("class='inset'"));
  Roofline near = memory_bound();
  near.peak_gops = 150;  // which 200 GB/s reach at 0.75 operations per byte
  EXPECT_THAT(roofline(near), Not(HasSubstr("class='inset'")));
}

TEST(RooflineChart, TheNameOfTheSlopeIsOnItEvenIfTheSlopeIsShort) {
  Roofline chart = memory_bound();
  chart.dots[1].operations_per_byte = 0.5;
  chart.peak_gops = 120;  // which 200 GB/s reach at 0.6 operations per byte
  const std::string html = roofline(chart);
  const std::string begin = "class='ceiling' d='M0 ";
  const std::size_t at = html.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t height = at + begin.size();
  EXPECT_THAT(html, HasSubstr("<text class='note under' x='0%' y='" +
                              html.substr(height, html.find(' ', height) - height) + "%'>memory: 200 GB/s"));
}

TEST(RooflineChart, AKernelThatWasNotTracedIsAMarkOnTheAxis) {
  Roofline chart = memory_bound();
  chart.dots.push_back({{3, "hidden"}, std::nullopt, 10, 50});
  const std::string html = roofline(chart);
  EXPECT_THAT(html, HasSubstr("<use href='#m-untraced' x='0%'"));
  EXPECT_THAT(html, HasSubstr("hidden, not traced"));
}

TEST(RooflineChart, UntracedKernelsSideBySideShareALabelRightOfTheTicks) {
  const std::string html = roofline({.dots = {{{1, "first"}, std::nullopt, 10, 5},
                                              {{2, "second"}, std::nullopt, 9.9, 5},
                                              {{3, "third"}, std::nullopt, 9.8, 5},
                                              {{4, "fourth"}, std::nullopt, 1, 50}},
                                     .least_bytes_at = 1});
  EXPECT_THAT(html, ContainsRegex("<text class='name right best' x='0%' y='[0-9.]+%'>1 to 3<tspan class='full'>, not "
                                  "traced</tspan></text>"));
  EXPECT_THAT(html, HasSubstr(">4<tspan class='full'> fourth, not traced</tspan></text>"));
  for (const char* side : {"above", "below", "left"})
    EXPECT_THAT(html, Not(HasSubstr(std::string("<text class='name ") + side))) << side;
}

TEST(RooflineChart, TheLeastBytesAreNamedWithinThePlot) {
  Roofline chart = memory_bound();
  chart.least_bytes_name = "least bytes";
  chart.least_bytes_at = 1;
  EXPECT_THAT(roofline(chart), HasSubstr("<text class='note before' x='91.67%' y='98%'>least bytes"));
  chart.least_bytes_at = 0.25;
  EXPECT_THAT(roofline(chart), HasSubstr("<text class='note over-left' x='8.33%' y='6%'>least bytes"))
      << "the slow kernel is at its foot";
}

TEST(RooflineChart, TheNameOfTheLeastBytesIsAtTheHeadOfItsLineIfADotIsAtTheFoot) {
  Roofline chart = memory_bound();
  chart.peak_gops = 150;  // no inset
  chart.least_bytes_name = "least bytes";
  chart.least_bytes_at = 0.9;
  chart.dots.push_back({{3, "low"}, 0.85, 24, 50});
  EXPECT_THAT(roofline(chart), ContainsRegex("<text class='note before' x='[0-9.]+%' y='6%'>least bytes"));
}

TEST(RooflineChart, DotsThatHideEachOtherShareALabel) {
  Roofline chart = memory_bound();
  for (int rank = 5; rank < 8; ++rank) chart.dots.push_back({{rank, "alike"}, 0.2, 11, 50});
  const std::string html = roofline(chart);
  EXPECT_THAT(html, HasSubstr(">5 to 7</text>"));
  EXPECT_THAT(html, Not(HasSubstr("alike</tspan>")));
}

TEST(RooflineChart, WithoutAKnownRateThereIsNoRoof) {
  const std::string html = roofline({.dots = {{{1, "best"}, 1, 100, 5}}});
  EXPECT_THAT(html, Not(HasSubstr("class='ceiling'")));
  EXPECT_THAT(html, HasSubstr("no roof"));
}

TEST(RooflineChart, WithoutKernelsItIsASentence) {
  EXPECT_EQ(roofline({}), "<p class='no-chart'>No kernel was timed, so there is no roofline.</p>\n");
}

}  // namespace
}  // namespace warpwright::reports::charts
