// Tests of numbers and tables.
#include "reports/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace warpwright::reports {
namespace {

using testing::HasSubstr;

TEST(Number, HasFourSignificantDigits) {
  EXPECT_EQ(number(63.6249), "63.62");
  EXPECT_EQ(number(0.02134), "0.02134");
  EXPECT_EQ(number(1937.9), "1938");
  EXPECT_EQ(number(67108864), "67108864");
  EXPECT_EQ(number(4), "4");
  EXPECT_EQ(number(-0.5), "-0.5");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "");
}

TEST(Slug, KeepsOnlyLettersDigitsAndDashes) {
  EXPECT_EQ(slug("reduce op=sum <float>"), "reduce-op-sum-float");
}

TEST(TableHtml, HasACaptionAndScopedHeaders) {
  Table table("What <is>", {"name", "time"});
  table.add({"a & b", 12.5});
  const std::string html = table.html();
  EXPECT_THAT(html, HasSubstr("<caption>What &lt;is&gt;</caption>"));
  EXPECT_THAT(html, HasSubstr("<th scope=col class=n>time</th>"));
  EXPECT_THAT(html, HasSubstr("<th scope=row>a &amp; b</th><td class=n data-head=\"time\">12.5</td>"));
}

TEST(TableHtml, HasNoEmptyColumns) {
  Table table("What", {"name", "watts", "note"});
  table.add({"a", "", "b"});
  EXPECT_THAT(table.html(),
              AllOf(Not(HasSubstr("watts")), HasSubstr("<th scope=row>a</th><td data-head=\"note\">b</td>")));
  table.add({"c", 3, ""});
  EXPECT_THAT(table.html(),
              AllOf(HasSubstr("watts"), HasSubstr("<td data-head=\"watts\"></td><td data-head=\"note\">b</td>")));
}

TEST(CodeCell, AnOptionIsNotTornFromItsDashes) {
  EXPECT_EQ(Cell::code("tune --arch native <x>").html, "<code>tune <span>--arch</span> native &lt;x&gt;</code>");
}

TEST(Finding, IsShownWithoutItsCommand) {
  EXPECT_EQ(finding_of("a race; reproduce: conform --repro 'x'"), "a race");
  EXPECT_EQ(finding_of("out[3] is 1, not 2"), "out[3] is 1, not 2");
}

TEST(TableHtml, IsEmptyWithoutRows) {
  EXPECT_EQ(Table("caption", {"a"}).html(), "");
}

}  // namespace
}  // namespace warpwright::reports
