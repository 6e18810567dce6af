// Tests of the map of two params, and of the bars of effects.
#include "reports/charts/param_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;

ParamMap two_by_two() {
  return {"a", "b", {"1", "2"}, {"8", "<16>"}, {{{10.0, 3}, {std::nullopt, 0}}, {{20.0, 1}, {80.0, 2}}}};
}

TEST(ParamMapChart, MoreBlueIsFasterAndTimesFromTwiceTheBestOnAreEqual) {
  const std::string html = param_map(two_by_two());
  EXPECT_THAT(html, HasSubstr("<td class='best' style='--c:52%'><span>10.0</span><small>best of 3</small></td>"));
  EXPECT_THAT(html, HasSubstr("<td style='--c:4%'><span>20.0</span><small>of 1</small></td>"));
  EXPECT_THAT(html, HasSubstr("<td style='--c:4%'><span>80.0</span>"));
}

TEST(ParamMapChart, UntriedCellsAreHatched) {
  EXPECT_THAT(param_map(two_by_two()), HasSubstr("<td class='none' aria-label='not tried'></td>"));
}

TEST(ParamMapChart, ValuesAreHeaders) {
  EXPECT_THAT(param_map(two_by_two()), HasSubstr("<th scope='row'>&lt;16&gt;</th>"));
  EXPECT_THAT(param_map(two_by_two()), HasSubstr("<th scope='col'>2</th>"));
}

TEST(ParamMapChart, OfOneParamHasOneRow) {
  const std::string html = param_map({"a", "", {"1", "2"}, {""}, {{{5.0, 1}, {6.0, 1}}}});
  EXPECT_THAT(html, HasSubstr("<caption>a across; "));
  EXPECT_THAT(html, HasSubstr("<th scope='row'></th><td class='best'"));
}

TEST(ParamMapChart, OnlyOneOfEqualsIsTheBest) {
  const std::string html = param_map({"a", "b", {"1", "2"}, {"1"}, {{{5.0, 1}, {5.0, 1}}}});
  EXPECT_EQ(html.find("class='best'"), html.rfind("class='best'"));
}

TEST(ParamMapChart, WithoutATimeItIsASentence) {
  EXPECT_THAT(param_map({"a", "b", {"1"}, {"1"}, {{{}}}}), HasSubstr("No configuration with these params has a time."));
}

TEST(EffectBars, AreSharesOfTheExplainedVariance) {
  const std::string html = effect_bars({{"coarsening", 0.52, true}, {"delay", 0}});
  EXPECT_THAT(html, HasSubstr("<li class='mapped'><span title='coarsening'>coarsening</span>"));
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='52%'/></svg><b>52\u00A0%</b>"));
  EXPECT_THAT(html, HasSubstr("width='0%'/></svg><b>0\u00A0%</b>"));
}

}  // namespace
}  // namespace warpwright::reports::charts
