// Tests of tables as text, CSV and JSON.
#include "kernels/system/table.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Screen wide{.width = 0};

Table two_kernels() {
  Table table({{.head = "KERNEL"}, {.head = "TIME"}, {.head = "RIGHT", .key = "certainty"}});
  table.add({"stream", {120.25, "120 us"}, "certified"});
  table.add({"radix_onesweep", {9.5, "9.5 us"}, {}});
  return table;
}

TEST(Table, AlignsNumbersRightAndHasNoTrailingBlanks) {
  EXPECT_EQ(two_kernels().text(wide),
            "KERNEL            TIME  RIGHT\n"
            "stream          120 us  certified\n"
            "radix_onesweep  9.5 us  -\n");
}

TEST(Table, IsCsvAndJsonWithPlainNumbers) {
  EXPECT_EQ(two_kernels().csv(),
            "kernel,time,certainty\r\n"
            "stream,120.25,certified\r\n"
            "radix_onesweep,9.5,\r\n");
  const auto json = nlohmann::json::parse(two_kernels().json());
  EXPECT_EQ(json, (nlohmann::json{
                      {{"json_version", 2}, {"kernel", "stream"}, {"time", 120.25}, {"certainty", "certified"}},
                      {{"json_version", 2}, {"kernel", "radix_onesweep"}, {"time", 9.5}, {"certainty", nullptr}}}));
}

TEST(Table, HasNoValueForAnEmptyTextAndLineZero) {
  Table table({{.head = "NAME"}, {.head = "LINE"}});
  table.add({Table::Cell::unless_empty(""), Table::Cell::of_line(0)});
  table.add({Table::Cell::unless_empty("tiled"), Table::Cell::of_line(7)});
  EXPECT_EQ(table.text(wide), "NAME   LINE\n-         -\ntiled     7\n");
  EXPECT_EQ(nlohmann::json::parse(table.json()),
            (nlohmann::json{{{"json_version", 2}, {"name", nullptr}, {"line", nullptr}},
                            {{"json_version", 2}, {"name", "tiled"}, {"line", 7}}}));
}

TEST(Table, QuotesSpecialCharactersInCsv) {
  Table table({{.head = "TEXT"}, {.head = "MORE"}});
  table.add({"a, b", "say \"no\""});
  table.add({"two\nlines", ""});
  EXPECT_EQ(table.csv(), "text,more\r\n\"a, b\",\"say \"\"no\"\"\"\r\n\"two\nlines\",\r\n");
}

TEST(Table, CutsTheWidestTextsUntilItFits) {
  Table table({{.head = "NAME"}, {.head = "OTHER"}, {.head = "N"}});
  table.add({std::string(30, 'n'), std::string(20, 'o'), 7});
  EXPECT_EQ(table.text({.width = 40}),
            "NAME               OTHER               N\n"
            "nnnnnnnnnnnnnnn... oooooooooooooooo... 7\n");
}

TEST(Table, FitsEveryWidthThatMinimumWidthsAllow) {
  Table table({{.head = "NAME"}, {.head = "OTHER", .least = 10}, {.head = "N"}});
  table.add({std::string(30, 'n'), std::string(20, 'o'), 7});
  for (std::size_t width = 21; width < 70; ++width) {
    const std::string text = table.text({.width = width});
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_LE(end - at, width) << text;
      at = end + 1;
    }
    EXPECT_EQ(text.find("...") != std::string::npos, width < 30 + 20 + 1 + 2) << width << "\n" << text;
  }
}

TEST(Table, CutsNeitherNumbersNorProtectedTexts) {
  Table table({{.head = "ID", .least = Table::whole}, {.head = "N"}});
  table.add({"0123456789abcdef", {std::int64_t{1234567890}, "1,234,567,890"}});
  EXPECT_EQ(table.text({.width = 10}), "ID                           N\n0123456789abcdef 1,234,567,890\n");
}

TEST(Table, CutsTextsSoThatTheyStayApart) {
  const auto cut_to_30 = [](const std::vector<std::string>& names) {
    Table table({{.head = "NAME"}});
    for (const std::string& name : names) table.add({name});
    return table.text({.width = 30});
  };
  const std::string image = "image 16384x16384 uchar, bins=";
  EXPECT_EQ(cut_to_30({image + "256, uniform data", image + "4096, uniform data", "image 8x8 float"}),
            "NAME\nimage 163...bins=256, unifo...\nimage 163...bins=4096, unif...\nimage 8x8 float\n");
  EXPECT_EQ(cut_to_30({image + "256, uniform data", image + "256, uniform noise", image + "64, uniform noise"}),
            "NAME\nimage 16384x16384 uchar...data\nimage 16384x16384 ucha...noise\nimage 163...bins=64, unifor...\n");
  EXPECT_EQ(cut_to_30({image + "256, the same", image + "256, the same"}),
            "NAME\nimage 16384x16384 uchar, bi...\nimage 16384x16384 uchar, bi...\n");
}

TEST(Table, LeavesColumnsOutWhereCuttingIsNotEnoughAndSaysSo) {
  Table table({{.head = "A", .least = Table::whole}, {.head = "B", .can_go = true}, {.head = "C", .can_go = true}});
  table.add({"aaaaaaaaaaaa", {1.0, "1111111111"}, {2.0, "2222222222"}});
  EXPECT_EQ(table.text({.width = 23}),
            "A                     B\naaaaaaaaaaaa 1111111111\nNot shown in 23 columns: C\n");
  EXPECT_EQ(table.text({.width = 20}), "A\naaaaaaaaaaaa\nNot shown in 20 columns: B, C\n");
  EXPECT_THAT(table.text(wide), Not(HasSubstr("Not shown")));
  EXPECT_THAT(table.csv(), HasSubstr("a,b,c")) << "data has all";
}

TEST(Table, LeavesEmptyColumnsOutBeforeItCuts) {
  Table table({{.head = "NAME"}, {.head = "LIBRARY", .can_go = true}});
  table.add({"0123456789", {}});
  EXPECT_EQ(table.text({.width = 19}), "NAME        LIBRARY\n0123456789  -\n");
  EXPECT_EQ(table.text({.width = 18}), "NAME\n0123456789\n");
}

TEST(Table, ShowsDataColumnsOnlyInCsvAndJson) {
  Table table({{.head = "NAME"}, {.head = "PARAMS", .only_as_data = true}});
  table.add({"tiled", "{.tile_dim = 32}"});
  EXPECT_EQ(table.text(wide), "NAME\ntiled\n");
  EXPECT_EQ(table.csv(), "name,params\r\ntiled,{.tile_dim = 32}\r\n");
}

TEST(Table, IsAlignedAlikeWithAndWithoutColours) {
  Table table({{.head = "VERDICT"}, {.head = "N"}});
  table.add({{"failed", "failed", Tone::bad}, 3});
  EXPECT_EQ(table.text(wide), "VERDICT  N\nfailed   3\n");
  EXPECT_EQ(table.text({.width = 0, .colour = true}),
            "\x1b[1mVERDICT\x1b[0m  \x1b[1mN\x1b[0m\n\x1b[31mfailed\x1b[0m   3\n");
}

TEST(Table, EscapesControlCharactersAndCountsCharactersNotBytes) {
  Table table({{.head = "NAME"}, {.head = "N"}});
  table.add({"\x1b[31mred", 1});
  table.add({"\xC2\xB5s", 2});
  EXPECT_EQ(table.text(wide), "NAME         N\n\\x1b[31mred  1\n\xC2\xB5s           2\n");
}

TEST(Table, WithoutRowsIsEmptyAndWithoutHeadsHasNoHeadingLine) {
  EXPECT_EQ(Table({{.head = "NAME"}}).text(wide), "");
  EXPECT_EQ(Table({{.head = "NAME"}}).csv(), "name\r\n");
  EXPECT_EQ(Table({{.head = "NAME"}}).json(), "[]\n");
  Table plain({{.head = ""}, {.head = ""}});
  plain.add({"a", "b"});
  EXPECT_EQ(plain.text(wide), "a  b\n");
  EXPECT_THROW(plain.add({"a"}), std::logic_error);
}

TEST(Cut, KeepsCharactersWhole) {
  EXPECT_EQ(cut("abcdef", 6), "abcdef");
  EXPECT_EQ(cut("abcdefg", 6), "abc...");
  EXPECT_EQ(cut("ab cdefg", 6), "ab...") << "no blank before the dots";
  EXPECT_EQ(cut("\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5", 4), "\xC2\xB5...");
  EXPECT_EQ(cut("ab, cdefg", 7), "ab...") << "nor a comma";
  EXPECT_EQ(cut("abcdef", 2), "..");
  EXPECT_EQ(cut("abcdef", 0), "");
}

}  // namespace
}  // namespace warpwright
