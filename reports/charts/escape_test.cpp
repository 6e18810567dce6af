// Tests of escaping and shortening text.
#include "reports/charts/escape.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace warpwright::reports {
namespace {

TEST(Escape, EscapesMarkup) {
  EXPECT_EQ(escape("<b onclick='f(\"x\")'>&amp;</b>"),
            "&lt;b onclick=&#39;f(&quot;x&quot;)&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(Escape, ReplacesControlCharactersAndInvalidUtf8) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(escape(std::string("a\0b", 3)), "a" + mark + "b");
  EXPECT_EQ(escape("\xC3("), mark + "(");
  EXPECT_EQ(escape("\xED\xA0\x80"), mark + mark + mark);
  EXPECT_EQ(escape("\xC2\xB5s"), "\xC2\xB5s");
}

RC_GTEST_PROP(Escape, LeavesNoMarkupInAnyBytes, (const std::string& text)) {
  const std::string escaped = escape(text);
  RC_ASSERT(escaped.find_first_of("<>\"'") == std::string::npos);
  for (std::size_t at = escaped.find('&'); at != std::string::npos; at = escaped.find('&', at + 1)) {
    RC_ASSERT(escaped.find(';', at) - at <= 5U);
  }
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("a\nb", 10), "a b");
  EXPECT_EQ(shortened("ab\xC2\xB5s", 3), "ab ...");
}

}  // namespace
}  // namespace warpwright::reports
