// Tests of the index's section on problems timed on several boards.
#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using CrossBoardSection = ModelTest;

TEST_F(CrossBoardSection, IsAbsentIfNoProblemWasTimedOnTwoBoards) {
  fill(store_);
  EXPECT_THAT(section("index", "across"), IsEmpty());
  for (const Page& page : pages(read_report(store_), {}, "")) EXPECT_THAT(page.html, Not(HasSubstr("#across")));
}

TEST_F(CrossBoardSection, SaysWhatABestLosesElsewhereAndWhichParamsDiffer) {
  fill_boards(store_);
  const std::string across = section("index", "across");
  EXPECT_THAT(across, HasSubstr("the best configurations of NVIDIA H100 80GB HBM3 are 11.5 % slower on NVIDIA H200"));
  EXPECT_THAT(across, HasSubstr("<td class='way'>H100 \u2192 H200</td>"));
  EXPECT_THAT(across, HasSubstr("<td class='n'>1.115</td><td class='moved'>tile_dim <b>32</b> \u2192 <b>16</b></td>"));
  EXPECT_THAT(across, HasSubstr("<td class='n'>1.039</td><td class='moved'>tile_dim <b>16</b> \u2192 <b>32</b></td>"));
  EXPECT_LT(across.find("1.115"), across.find("1.039")) << "the dearest first";
  EXPECT_THAT(across, Not(HasSubstr(">reduce"))) << "its best configuration is the same on both boards";
  EXPECT_THAT(page("sm_90.html"), HasSubstr("href=\"index.html#across\""));
}

TEST_F(CrossBoardSection, SaysIfABoardDidNotTryTheBest) {
  fill_boards(store_);
  const std::string across = section("index", "across");
  const std::string untried = across.substr(std::min(across.find("<details>"), across.size()));
  EXPECT_THAT(untried, AllOf(HasSubstr("that the other board did not try"), HasSubstr("H100 \u2192 T4"),
                             HasSubstr("<td class='why' colspan='3'>not tried there</td>")));
}

}  // namespace
}  // namespace warpwright::reports
