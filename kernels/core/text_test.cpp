// Tests of the formatting of texts.
#include "kernels/core/text.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Printable, EscapesControlCharactersAndKeepsAllElse) {
  EXPECT_EQ(printable("plain {.a = 1} \xC2\xB5s"), "plain {.a = 1} \xC2\xB5s");
  EXPECT_EQ(printable("\x1b[31m\a\x7f"), "\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\x0d");
  EXPECT_EQ(printable("\xC2\x9b"
                      "1m"),
            "\\x9b1m")
      << "C1 moves terminals too";
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable(""), "");
}

TEST(Unqualified, DropsNamespacesOnly) {
  EXPECT_EQ(unqualified("{.finish = warpwright::reduce::final_stage::atomics, .n = 4}"), "{.finish = atomics, .n = 4}");
  EXPECT_EQ(unqualified("tiled<::a::x, b::y>"), "tiled<x, y>");
  EXPECT_EQ(unqualified("{.x = 1.5F}"), "{.x = 1.5F}");
  EXPECT_EQ(unqualified("a::b"), "b");
  EXPECT_EQ(unqualified("a: b"), "a: b");
  EXPECT_EQ(unqualified(""), "");
}

TEST(TextTest, ACommandThatReproducesNamesTheFileOfAJob) {
  EXPECT_EQ(repro_command("", "kernel=reduce/tree input=exact:7"),
            "conform --repro 'kernel=reduce/tree input=exact:7'");
  EXPECT_EQ(repro_command("../mine/a-1.json", "kernel=job:a/k"), "conform ../mine/a-1.json --repro 'kernel=job:a/k'");
  EXPECT_EQ(repro_command("my job.json", "it's"), "conform 'my job.json' --repro 'it'\\''s'");
  EXPECT_EQ(repro_command("", "kernel=job:a/k"), "conform FILE.json --repro 'kernel=job:a/k'");
}

TEST(TextTest, WordsOfAShellAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(shell_word("tile_dim=32"), "tile_dim=32");
  EXPECT_EQ(shell_word("unsigned int"), "'unsigned int'");
  EXPECT_EQ(shell_word("transpose/tiled*"), "'transpose/tiled*'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(TextTest, NumbersAndTimesAreAsPeopleReadThem) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(5926), "5,926");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(counted(1, "trial"), "1 trial");
  EXPECT_EQ(counted(1200, "trial"), "1,200 trials");
  EXPECT_EQ(duration_text(0.04), "0.0 s");
  EXPECT_EQ(duration_text(9.8), "9.8 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(139), "2 min 19 s");
  EXPECT_EQ(duration_text(3900), "1 h 5 min");
  EXPECT_EQ(time_text(0.5), "0.50 us");
  EXPECT_EQ(time_text(9.534), "9.53 us");
  EXPECT_EQ(time_text(95.34), "95.3 us");
  EXPECT_EQ(time_text(381.2), "381 us");
  EXPECT_EQ(time_text(999.7), "1.00 ms");
  EXPECT_EQ(time_text(12345), "12.3 ms");
  EXPECT_EQ(time_text(2.5e6), "2.50 s");
  EXPECT_EQ(time_text(1.5e9), "1500 s");
}

TEST(TextTest, LinesAreBrokenAtBlanksAndLaterOnesAreIndented) {
  EXPECT_EQ(wrapped("one two three four", 9, 2), "one two\n  three\n  four\n");
  EXPECT_EQ(wrapped("one two", 0), "one two\n");
  EXPECT_EQ(wrapped("averylongword b", 5), "averylongword\nb\n");
  EXPECT_EQ(wrapped("", 10), "\n");
  EXPECT_EQ(wrapped("  name  a b c", 11, 8), "  name  a b\n        c\n");
}

TEST(FoldedCommand, IsOneLineForTheShellAndFitsItsWidth) {
  const std::string line = "kernel=job:a/k params={.block = 256, .unroll = 4} problem=job:a[float,33] it's";
  const std::string command = repro_command("my job.json", line);
  const std::string folded = folded_command(command, 50, 4);
  EXPECT_EQ(folded,
            R"(conform 'my job.json' --repro 'kernel=job:a/k \
    params={.block = 256, .unroll = 4} \
    problem=job:a[float,33] it'\''s')");
  const std::size_t begin = folded.find("'kernel") + 1;
  EXPECT_EQ(unfolded(folded.substr(begin, folded.size() - begin - 1)),
            R"(kernel=job:a/k params={.block = 256, .unroll = 4} problem=job:a[float,33] it'\''s)");
  EXPECT_EQ(folded_command(command, 1000, 4), command);
  EXPECT_EQ(folded_command("conform --repro 'kernel=along/name a=1'", 20, 2),
            "conform --repro '\\\n  kernel=along/name \\\n  a=1'");
  EXPECT_EQ(unfolded("\\\n  kernel=along/name \\\n  a=1"), "kernel=along/name a=1");
  EXPECT_EQ(unfolded(line), line);
  EXPECT_EQ(unfolded("a=1 \\\r\n   b=2\nc=3\n"), "a=1 b=2 c=3");
}

}  // namespace
}  // namespace warpwright
