// Tests of the shared SVG parts of charts.
#include "reports/charts/svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ChartSvg, EveryMarkIsDefined) {
  for (const Whose whose : {Whose::ours, Whose::vendor, Whose::kokkos_tuned, Whose::kokkos_default, Whose::ceiling}) {
    EXPECT_THAT(definitions(), HasSubstr("id='m-" + mark_id(whose) + "'"));
  }
  for (const char* id : {"guess", "slower", "faster", "untraced"}) {
    EXPECT_THAT(definitions(), HasSubstr(std::string("id='m-") + id + "'"));
  }
}

TEST(ChartSvg, LinesAreBrokenAtGaps) {
  EXPECT_EQ(path_data({Point{0, 1}, Point{2, 3}, std::nullopt, Point{4, 5}, Point{6, 7}}), "M0 1 2 3M4 5 6 7");
}

TEST(ChartSvg, APointBetweenGapsIsADot) {
  EXPECT_EQ(path_data({std::nullopt, Point{4, 5}, std::nullopt}), "M4 5h0");
}

TEST(ChartSvg, TextIsEscaped) {
  EXPECT_THAT(text("note", 1, 2, "<b>"), HasSubstr("&lt;b&gt;"));
  EXPECT_THAT(dot("dot", 1, 2, "a'b"), HasSubstr("a&#39;b"));
  EXPECT_THAT(legend({{Whose::vendor, "<i>"}}), HasSubstr("&lt;i&gt;"));
}

TEST(ChartSvg, DotsThatHideEachOtherInAChainAreOneGroup) {
  const auto end = [](int rank, double y) { return KernelDot{.kernel = {rank, "k"}, .at = {97, y}, .line_end = true}; };
  const std::vector<KernelDot> ends{end(1, 10), end(2, 20), end(3, 15), end(4, 40), end(0, 15)};
  const std::vector<DotGroup> groups = groups_of(ends);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].front()->kernel.rank, 0);
  EXPECT_EQ(ranks_of(groups[1]), "1 to 3");
  EXPECT_EQ(middle_of(groups[1]).y, 15);
  EXPECT_EQ(ranks_of(groups[2]), "4");
}

TEST(ChartSvg, TicksThatWouldTouchAreLeftOutOnAPhone) {
  Plot plot("", "ticks");
  plot.across({Growth::linear, 0, 100}, {{0, "0.25"}, {10, "0.3"}, {20, "0.35"}}, "x");
  EXPECT_THAT(plot.html(), AllOf(HasSubstr("<text class='tick-x' x='0%' y='100%'>0.25"),
                                 HasSubstr("<text class='tick-x full' x='10%' y='100%'>0.3"),
                                 HasSubstr("<text class='tick-x' x='20%' y='100%'>0.35")));
}

TEST(ChartSvg, ALabelWithoutRoomForAllItsRanksHasTheFirst) {
  Plot plot("", "three kernels");
  const std::vector<KernelDot> edge{{.kernel = {1, "a"}, .at = {0, 50}, .untraced = true},
                                    {.kernel = {3, "b"}, .at = {0, 51}, .untraced = true},
                                    {.kernel = {5, "c"}, .at = {0, 52}, .untraced = true}};
  plot.add(edge, {{12, 0, 100, 100}});
  EXPECT_THAT(plot.html(), HasSubstr(">1\u2026</text>"));
}

TEST(ChartSvg, TheBestDotIsOnTopAndNamedFirst) {
  Plot plot("tall", "two kernels");
  plot.add({{{1, "best"}, {50, 50}}, {{2, "other"}, {53, 50}}});
  const std::string html = plot.html();
  EXPECT_LT(html.find("<circle class='dot' cx='53%'"), html.find("<circle class='dot best' cx='50%'"));
  EXPECT_THAT(html,
              HasSubstr("<text class='name left best' x='50%' y='50%'>1<tspan class='full'> best</tspan></text>"));
  EXPECT_THAT(html, HasSubstr("<div class='plot tall'><svg role='img' aria-label='two kernels'>"));
}

}  // namespace
}  // namespace warpwright::reports::charts
