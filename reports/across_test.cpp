// Tests of the page section on problems timed on several boards.
#include <gmock/gmock.h>

#include "reports/model_fixture.hpp"
#include "reports/page.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

class AcrossSection : public ModelTest {
 protected:
  std::string html(const std::string& arch = "") { return across_section(read_report(store_, arch)); }
};

TEST_F(AcrossSection, IsAbsentWhenNoProblemWasTimedOnTwoBoards) {
  fill(store_);
  EXPECT_EQ(html(), "");
  for (const Page& page : pages(read_report(store_), {}, "")) EXPECT_THAT(page.html, Not(HasSubstr("#across")));
}

TEST_F(AcrossSection, ShowsWhichSettingsChangeTheirCostAndTheBestCompromise) {
  fill_boards(store_);
  const std::string text = html("sm_90");
  EXPECT_THAT(text, HasSubstr("2 problems were timed on several boards; of 1 the best configurations move"));
  EXPECT_THAT(text, HasSubstr("the best configurations of NVIDIA H100 80GB HBM3 are 11.5 % slower on NVIDIA H200"));
  EXPECT_THAT(text, HasSubstr("class=\"n bad\">+ 11.5 %"));
  EXPECT_THAT(text, HasSubstr("+ 3.9 %"));
  EXPECT_THAT(text, HasSubstr("<td>one for all</td><td><code>tiled {.tile_dim = 64, .bank_pad = 1}</code>"));
  EXPECT_THAT(text, HasSubstr("<td>each of them</td><td><code>grid_stride")) << "one row where nothing moves";
  EXPECT_THAT(text, HasSubstr("1.40 x"));
  EXPECT_THAT(text, Not(HasSubstr("not measured there")));
}

TEST_F(AcrossSection, OfSeveralArchitecturesIsOnTheIndexAndListsWhatWasNotMeasured) {
  fill_boards(store_);
  const auto made = pages(read_report(store_), {}, "");
  EXPECT_THAT(made.at(0).html, HasSubstr("href=\"#across\""));
  EXPECT_THAT(made.at(0).html, HasSubstr("<section id=across>"));
  EXPECT_THAT(made.at(0).html, HasSubstr("on Tesla T4"));
  EXPECT_THAT(made.at(0).html, HasSubstr("not measured there"));
  for (std::size_t i = 1; i < made.size(); ++i) EXPECT_THAT(made[i].html, Not(HasSubstr("id=across")));
}

}  // namespace
}  // namespace warpwright::reports
