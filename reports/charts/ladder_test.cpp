// Tests of the ladder.
#include "reports/charts/ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

Ladder three_rungs() {
  return {
      .rungs = {{{1, "best"}, 25, 0.8}, {{2, "slow"}, 100, 0.2}, {{0, "naive"}, std::nullopt, std::nullopt, "too big"}},
      .ceiling_us = 20,
      .ceiling_name = "copy"};
}

TEST(LadderChart, BarsStartAtZeroAndTheSlowestIsFirst) {
  const std::string html = ladder(three_rungs());
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='100%'/><line class='ceiling' x1='20%' x2='20%'"));
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='25%'/>"));
  EXPECT_LT(html.find("naive"), html.find("2 slow"));
  EXPECT_LT(html.find("2 slow"), html.find("1 best"));
}

TEST(LadderChart, AStepShowsItsSpeedup) {
  EXPECT_THAT(ladder(three_rungs()),
              HasSubstr("<b>25.0</b><small>80.0 %</small><small class='big'>\xC3\xB7 4.00</small>"));
}

TEST(LadderChart, TheBestIsLastAndAnEqualOfItBringsNoStep) {
  const std::string html = ladder({.rungs = {{{1, "best"}, 63}, {{2, "equal"}, 63, {}, "", true}, {{3, "slow"}, 126}}});
  EXPECT_LT(html.find("3 slow"), html.find("2 equal"));
  EXPECT_LT(html.find("2 equal"), html.find("1 best"));
  EXPECT_LT(html.find("\xC3\xB7 2.00"), html.find("1 best"));
  EXPECT_GT(html.find("<small title='cannot be told apart'>=</small>"), html.find("1 best"));
}

TEST(LadderChart, TheLogarithmicAxisHasDots) {
  // 20 to 100, with a margin of a twentieth: the ends are at 4.55 % and 95.45 %.
  const std::string html = ladder(three_rungs());
  EXPECT_THAT(html, HasSubstr("<circle class='dot' cx='95.45%' cy='50%'/><line class='ceiling' x1='4.55%'"));
}

TEST(LadderChart, AKernelThatRefusesTheSizeKeepsItsRowWithTheReason) {
  EXPECT_THAT(ladder(three_rungs()),
              HasSubstr("<li class='none'><span title='naive'>naive</span><em>too big</em></li>"));
}

TEST(LadderChart, APredictionIsHatchedAndItsDotIsHollow) {
  Ladder chart = three_rungs();
  chart.predicted = true;
  const std::string html = ladder(chart);
  EXPECT_THAT(html, HasSubstr("<rect class='hatched' width='25%'/>"));
  EXPECT_THAT(html, HasSubstr("<circle class='dot hollow'"));
  EXPECT_THAT(html, Not(HasSubstr("'fill'")));
}

TEST(LadderChart, WithoutACeilingThereIsNoColumnOfShares) {
  EXPECT_THAT(ladder({.rungs = {{{1, "best"}, 25}}}), HasSubstr("<ol class='ladder no-shares short'>"));
  EXPECT_THAT(ladder(three_rungs()), HasSubstr("<ol class='ladder short'>"));
}

TEST(LadderChart, NamesAreEscaped) {
  EXPECT_THAT(ladder({.rungs = {{{1, "a<b"}, 5}}}), HasSubstr("<span title='a&lt;b'>1 a&lt;b</span>"));
}

}  // namespace
}  // namespace warpwright::reports::charts
