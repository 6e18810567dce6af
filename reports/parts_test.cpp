// Tests of parts that pages share: how figures are laid out.
#include "reports/parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Layout, ASentenceStandsBelowTheFiguresOfItsLine) {
  const Figure sentence{.id = "why", .title = "Why", .finding = "So."};
  const Figure picture{.id = "what", .title = "What", .body = "<svg></svg>"};
  const std::string html = laid_out({{{sentence, 6}, {picture, 6}}}).html;
  EXPECT_LT(html.find("id=what"), html.find("id=why"));
  EXPECT_THAT(html, Not(HasSubstr("w6")));
}

TEST(Layout, FiguresWithoutRoomInTheirLineStandBelowInTheirWidth) {
  const Figure picture{.id = "what", .title = "What", .body = "<svg></svg>"};
  const std::string html = laid_out({{{picture, 6}, {picture, 6}, {picture, 6}}}).html;
  EXPECT_THAT(html, AllOf(HasSubstr("fig w6"), Not(HasSubstr("fig w0")), Not(HasSubstr("fig w12"))));
}

}  // namespace
}  // namespace warpwright::reports
