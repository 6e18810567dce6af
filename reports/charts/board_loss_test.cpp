// Tests of what configurations lose on other boards.
#include "reports/charts/board_loss.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports::charts {
namespace {

using testing::HasSubstr;

TEST(BoardLossChart, ADotStandsAtTheFactorOnAnAxisFromOne) {
  const std::string html = board_losses({{"scan", "scan.html", "H100", "H200", 2, "", {{"block", "128", "256"}}},
                                         {"scan", "scan.html", "H200", "H100", 4, "", {}}});
  EXPECT_THAT(html, HasSubstr("<circle class='dot loses' cx='50%' cy='50%'/>"));
  EXPECT_THAT(html, HasSubstr("<circle class='dot loses' cx='100%' cy='50%'/>"));
  EXPECT_THAT(html, HasSubstr("<td class='n'>2.000</td>"));
  EXPECT_THAT(html, HasSubstr("block <b>128</b> \xE2\x86\x92 <b>256</b>"));
  EXPECT_THAT(html, HasSubstr("4.000</td><td class='moved'>none</td>"));
}

TEST(BoardLossChart, ALossUnderOnePercentIsNotMarked) {
  EXPECT_THAT(board_losses({{"scan", "", "a", "b", 1.005}}), HasSubstr("<circle class='dot' cx="));
}

TEST(BoardLossChart, WithoutAFactorItSaysWhy) {
  EXPECT_THAT(board_losses({{"scan", "", "a", "b", std::nullopt, "needs sm_90"}}),
              HasSubstr("<td class='why' colspan='3'>needs sm_90</td>"));
}

TEST(BoardLossChart, AProblemsNameIsShownOnce) {
  EXPECT_THAT(board_losses({{"scan", "", "a", "b", 1}, {"scan", "", "b", "a", 1}}),
              HasSubstr("<span class='again'>scan</span>"));
}

TEST(BoardLossChart, WithoutTwoBoardsItIsASentence) {
  EXPECT_THAT(board_losses({}), HasSubstr("No problem was timed on two boards."));
}

}  // namespace
}  // namespace warpwright::reports::charts
