// Tests of the charts over sizes.
#include "reports/charts/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

// From 2^10 to 2^20 with a margin of 3 % on both sides: sizes are at 2.83 %, 50 % and 97.17 %.
Sizes three_sizes() {
  return {.series = {{.whose = Whose::ours,
                      .kernel = {1, "ours"},
                      .overall = true,
                      .points = {{1024, 4, 100}, {32768, 20, 250}, {1048576, 100, 500}}},
                     {.whose = Whose::vendor,
                      .kernel = {0, "CUB"},
                      .points = {{1024, 5, 80}, {32768, std::nullopt, std::nullopt}, {1048576, 90, 450}}}},
          .ratios = {{"CUB", {{1024, 1.25}, {32768, std::nullopt}, {1048576, 0.9}}}},
          .winners = {{1024, {2, "small"}}, {32768, {1, "large"}}, {1048576, {1, "large"}}},
          .ceiling_gbs = 800,
          .ceiling_name = "a copy"};
}

TEST(SizeCharts, RatesStartAtZeroBelowTheCeiling) {
  const std::string html = size_rates(three_sizes());
  EXPECT_THAT(html, HasSubstr("<line class='ceiling' y1='0%' y2='0%'"));
  EXPECT_THAT(html, HasSubstr("<path class='line overall' d='M2.83 87.5 50 68.75 97.17 37.5'/>"));
}

TEST(SizeCharts, ASizeWithoutATimeIsAGap) {
  EXPECT_THAT(size_rates(three_sizes()), HasSubstr("<path class='line vendor' d='M2.83 90h0M97.17 43.75h0'/>"));
}

TEST(SizeCharts, TimesAreOnALogarithmicAxis) {
  // 4 to 100 with a margin of 6 %: from 5.36 % to 94.64 %.
  EXPECT_THAT(size_times(three_sizes()), HasSubstr("d='M2.83 94.64 50 50 97.17 5.36'"));
}

TEST(SizeCharts, APredictedSeriesIsDashedAndTheBestKernelBlue) {
  Sizes chart = three_sizes();
  chart.series[0].overall = false;
  chart.series[0].predicted = true;
  EXPECT_THAT(size_times(chart), HasSubstr("<path class='line best dashed'"));
}

TEST(SizeCharts, LinesThatEndTogetherShareALabel) {
  Sizes chart;
  for (const auto& [rank, us] : {std::pair{1, 1.0}, {3, 10.0}, {4, 10.1}, {5, 10.2}, {7, 10.3}})
    chart.series.push_back({.kernel = {rank, "k"}, .points = {{1024, us, {}}, {2048, us, {}}}});
  chart.series.push_back({.kernel = {0, "elsewhere"}, .points = {{1024, 100, {}}, {2048, std::nullopt, {}}}});
  const std::string html = size_times(chart);
  EXPECT_THAT(html, HasSubstr(">1<tspan class='full'></tspan></text>"));
  EXPECT_THAT(html, HasSubstr(">3 to 5<tspan class='full'>, 7</tspan></text>"));
  EXPECT_THAT(html, HasSubstr("<tspan class='full'>elsewhere</tspan>"));
}

TEST(SizeCharts, RatiosHaveALineAtOne) {
  const std::string html = size_ratios(three_sizes());
  EXPECT_THAT(html, HasSubstr("<line class='one'"));
  EXPECT_THAT(html, HasSubstr(">1.25</text>"));
  EXPECT_THAT(html, HasSubstr(">0.90</text>"));
}

TEST(SizeCharts, TheFastestKernelChangesWhereTheBarIsHatched) {
  const std::string html = size_winners(three_sizes());
  EXPECT_THAT(html, HasSubstr("<span class='winner' style='left:1.33%;width:2.5%'"));
  EXPECT_THAT(html, HasSubstr("<span class='between' style='left:3.83%;width:45.17%'"));
  EXPECT_THAT(html, HasSubstr("<span class='winner' style='left:49%;width:49.67%'"));
  EXPECT_THAT(html, HasSubstr("The fastest: 2 small at 2"));
  EXPECT_THAT(html, HasSubstr(">2</span>")) << "no room for its name";
  EXPECT_THAT(html, HasSubstr(">1<i class='full'> large</i></span>"));
}

TEST(SizeCharts, AWinnerWithoutARankHasNoNumber) {
  Sizes chart = three_sizes();
  chart.winners.front().kernel.rank = 0;
  const std::string html = size_winners(chart);
  EXPECT_THAT(html, HasSubstr("title='small: 2\u00B9\u2070'></span>"));
}

TEST(SizeCharts, WithoutValuesThereIsASentence) {
  EXPECT_THAT(size_times({}), HasSubstr("No size was timed."));
  EXPECT_THAT(size_rates({}), HasSubstr("bytes of this problem are not known"));
  EXPECT_THAT(size_ratios({}), HasSubstr("No library was timed"));
  EXPECT_EQ(size_winners({.winners = {{1024, {1, "alone"}}}}), "");
}

}  // namespace
}  // namespace warpwright::reports::charts
