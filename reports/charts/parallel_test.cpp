// Tests of parallel coordinates.
#include "reports/charts/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace warpwright::reports::charts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(ParallelChart, DrawsAllLinesFastestFirstIfTheyAreFew) {
  EXPECT_THAT(drawn_lines({{{}, 3}, {{}, 1}, {{}, 2}}, 3), ElementsAre(1, 2, 0));
}

TEST(ParallelChart, DrawsTheBestHalfAndASampleOfTheRestAlwaysTheSame) {
  std::vector<ParallelLine> lines;
  for (int i = 0; i < 1000; ++i) lines.push_back({{}, 1000.0 - i});
  const std::vector<std::size_t> drawn = drawn_lines(lines, 100);
  EXPECT_EQ(std::set<std::size_t>(drawn.begin(), drawn.end()).size(), 100U);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(drawn[i], 999 - i);
  EXPECT_LT(drawn.back(), 500U);  // of the slowest, too
  EXPECT_EQ(drawn, drawn_lines(lines, 100));
}

Parallel two_lines() {
  return {"stream", {{"a", {"4", "8", "16"}}, {"b", {"x", "y"}}}, {{{0, 1}, 20}, {{2, 0}, 10}}};
}

TEST(ParallelChart, ALineRunsThroughItsValuesToItsTime) {
  // Values lie between 6 % and 94 %; the two lines are spread by 2.5 %.
  const std::string html = parallel(two_lines());
  EXPECT_THAT(html, HasSubstr("<path class='line t0 top' data-v='2,0' data-us='10' d='M0 3.5 50 91.5 100 0'/>"));
  EXPECT_THAT(html, HasSubstr("<path class='line t4 top' data-v='0,1' data-us='20' d='M0 94 50 6 100 100'/>"));
  EXPECT_LT(html.find("data-us='20'"), html.find("data-us='10'"));
}

TEST(ParallelChart, ATimeForTheScriptHasTheDigitsOfThePagesRows) {
  EXPECT_THAT(parallel({"stream", {{"a", {"4"}}}, {{{0}, 9.126}}}), HasSubstr("data-us='9.126'"));
}

TEST(ParallelChart, AxesHaveAButtonForEachValue) {
  const std::string html = parallel(two_lines());
  EXPECT_THAT(html, HasSubstr("aria-label='b' data-axis='1' style='--at:50%'><b>b</b>"));
  EXPECT_THAT(html, HasSubstr("<button disabled aria-pressed='false' data-value='1' style='--v:50%'>8</button>"));
  EXPECT_THAT(html, HasSubstr("<span class='tick' style='--v:50%'>14.1</span>"));
}

TEST(ParallelChart, SaysIfLinesAreLeftOut) {
  Parallel chart = two_lines();
  EXPECT_THAT(parallel(chart), Not(HasSubstr("lines are drawn")));
  chart.lines.push_back({{1, 1}, 15});
  chart.most = 2;
  EXPECT_THAT(parallel(chart), HasSubstr("2 of 3 lines are drawn: the best 1, and a sample of the rest."));
}

TEST(ParallelChart, WithoutLinesItIsASentence) {
  EXPECT_THAT(parallel({}), HasSubstr("No configuration of this kernel"));
}

}  // namespace
}  // namespace warpwright::reports::charts
