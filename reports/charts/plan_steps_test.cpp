// Tests of the steps of plans and the overlap of streams.
#include "reports/charts/plan_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PlanStepsChart, StepsAreSharesOfTheirSum) {
  const std::string html =
      plan_steps({{"cell_list", {{"lists", StepKind::kernel, 30.0}, {"copy <x>", StepKind::copy, 10.0}}}});
  EXPECT_THAT(html, HasSubstr("<small>40.0"));
  EXPECT_THAT(html, HasSubstr("<i class='kernel' style='flex:30' title='lists: 30.0 \xC2\xB5s, 75.0 %'>lists</i>"));
  EXPECT_THAT(html, HasSubstr("<li><i class='copy'></i>copy &lt;x&gt;: 10.0 \xC2\xB5s, 25.0 %</li>"));
}

TEST(PlanStepsChart, AStepWithoutATimeLeavesTheSharesUnknown) {
  const std::string html = plan_steps({{"plan", {{"a", StepKind::kernel, 30.0}, {"b", StepKind::copy, std::nullopt}}}});
  EXPECT_THAT(html, HasSubstr("A step was not timed, so shares are not known."));
  EXPECT_THAT(html, HasSubstr("b: not timed"));
  EXPECT_THAT(html, Not(HasSubstr(" %")));
}

TEST(PlanStepsChart, WithoutStepsItIsASentence) {
  EXPECT_THAT(plan_steps({}), HasSubstr("No steps of a plan were timed."));
}

TEST(StreamOverlapChart, BarsHaveOneAxisFromZeroWithTheIdealAsALine) {
  const std::string html = stream_overlap({{"streams", 100, 60, 50}, {"other", std::nullopt, 200, std::nullopt}});
  EXPECT_THAT(html, HasSubstr("<rect class='serial' width='50%'/><rect class='fill' width='30%'/>"
                              "<line class='ceiling' x1='25%' x2='25%' y2='100%'/>"));
  EXPECT_THAT(html, HasSubstr("<b>60.0 \xC2\xB5s, 1.20 of the ideal</b>"));
  EXPECT_THAT(html, HasSubstr("<rect class='fill' width='100%'/></svg>"));
}

TEST(StreamOverlapChart, UntimedPlansHaveNoBar) {
  const std::string html = stream_overlap({{"streams", 100, std::nullopt, 50}});
  EXPECT_THAT(html, HasSubstr("<b>not timed</b>"));
  EXPECT_THAT(html, Not(HasSubstr("<rect class='fill'")));
  EXPECT_THAT(stream_overlap({}), HasSubstr("No streams were timed."));
}

}  // namespace
}  // namespace warpwright::reports::charts
