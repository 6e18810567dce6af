// Tests of the search's convergence.
#include "reports/charts/convergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

Convergence one_course() {
  return {.courses = {{.kernel = {1, "best"},
                       .trials = {{2, 1, 40}, {4, 2, 50}, {5, std::nullopt, 20}, {6, 3, 30}},
                       .configurations = 10,
                       .seconds = 8}}};
}

TEST(ConvergenceChart, TheLineIsTheBestSoFarUpToTheEndOfTheSearch) {
  // The axis holds 20 to 50 with a margin of 8 %.
  const std::string html = convergence(one_course());
  EXPECT_THAT(html, HasSubstr("<path class='line best' d='M20 27.89H50V93.1H100'/>"));
  EXPECT_THAT(html, HasSubstr("at the end 20.0"));
}

TEST(ConvergenceChart, ANameIsAtTheEndOfItsLine) {
  Convergence chart = one_course();
  chart.courses.push_back({.kernel = {2, "other"}, .trials = {{1, 1, 45}}, .configurations = 5});
  EXPECT_THAT(convergence(chart), HasSubstr("<text class='note over' x='50%'"));
  EXPECT_THAT(convergence(chart), HasSubstr("<text class='note under-right best' x='100%'"));
}

TEST(ConvergenceChart, OverSecondsATrialWithoutATimeStampIsLeftOut) {
  Convergence chart = one_course();
  chart.axis = SearchAxis::seconds;
  EXPECT_THAT(convergence(chart), HasSubstr("<path class='line best' d='M12.5 27.89H37.5V54.96H100'/>"));
}

TEST(ConvergenceChart, EveryTrialIsADotButAtMostTwoThousand) {
  EXPECT_THAT(convergence(one_course()),
              HasSubstr("<path class='cloud few' d='M20.0 27.9h0M40.0 6.9h0M50.0 93.1h0M60.0 55.0h0'/>"));
  Convergence chart = one_course();
  for (int i = 0; i < 4001; ++i) chart.courses[0].trials.push_back({10, std::nullopt, 30});
  const std::string html = convergence(chart);
  const std::size_t from = html.find("class='cloud'");
  EXPECT_LE(std::count(html.begin() + static_cast<std::ptrdiff_t>(from), html.end(), 'M'), 2001);
}

TEST(ConvergenceChart, TheDotsAreOfAllKernelsAndWordsSayWhatIsDrawn) {
  Convergence chart = one_course();
  chart.courses.push_back({.kernel = {4, "slow"}, .trials = {{8, 4, 45}}, .configurations = 8});
  std::string html = convergence(chart);
  EXPECT_THAT(html, HasSubstr("M80.0 "));
  EXPECT_THAT(html, HasSubstr("Dots: 5 trials with a time, of all kernels.</p>"));
  EXPECT_THAT(html, Not(HasSubstr("slow<")));
  for (int i = 0; i < 4001; ++i) chart.courses[1].trials.push_back({10, std::nullopt, 30});
  chart.equal_within = 0.1;
  html = convergence(chart);
  EXPECT_THAT(html,
              HasSubstr("Dots: 4,006 trials with a time, of all kernels; one of 3 is drawn. Blue band: times within "
                        "10 % of the best count as equal.</p>"));
}

TEST(ConvergenceChart, FewTrialsNeedNoTallChart) {
  EXPECT_THAT(convergence(one_course()), HasSubstr("<div class='plot'>"));
  Convergence chart = one_course();
  for (int i = 0; i < 40; ++i) chart.courses[0].trials.push_back({10, std::nullopt, 30});
  EXPECT_THAT(convergence(chart), HasSubstr("<div class='plot tall'>"));
}

TEST(ConvergenceChart, ANameLongerThanItsLineStaysInThePlot) {
  EXPECT_THAT(
      convergence(
          {.courses = {{.kernel = {1, "a_kernel_with_a_long_name"}, .trials = {{1, 1, 40}}, .configurations = 2},
                       {.kernel = {2, "b"}, .trials = {{1, 1, 90}}, .configurations = 10}}}),
      HasSubstr("<text class='note under-left best' x='0%' y='93.1%'>1<tspan class='full'> a_kernel"));
}

TEST(ConvergenceChart, VerySlowTrialsLieOnTheEdgeAndWordsSaySo) {
  Convergence chart = one_course();
  EXPECT_THAT(convergence(chart), Not(HasSubstr("on the edge")));
  chart.courses[0].trials.push_back({7, 4, 1000});
  EXPECT_THAT(convergence(chart), HasSubstr("on the edge: slower than 100.0"));
}

TEST(ConvergenceChart, ANameOnTheEdgeStandsBelowIt) {
  Convergence chart = one_course();
  chart.courses.push_back({.kernel = {2, "slow"}, .trials = {{1, 1, 1000}}, .configurations = 10});
  EXPECT_THAT(convergence(chart), HasSubstr("<text class='note under-right' x='100%' y='0%'>2<"));
}

TEST(ConvergenceChart, APredictedCourseIsDashed) {
  Convergence chart = one_course();
  chart.courses[0].predicted = true;
  EXPECT_THAT(convergence(chart), HasSubstr("class='line best dashed'"));
}

TEST(ConvergenceChart, UnknownValuesAreStatedInWords) {
  EXPECT_THAT(convergence({}), HasSubstr("No search found a time."));
  EXPECT_THAT(convergence({.courses = {{.trials = {{1, std::nullopt, 5}}}}, .axis = SearchAxis::seconds}),
              HasSubstr("is not known"));
}

}  // namespace
}  // namespace warpwright::reports::charts
