// Tests of texts as people read them.
#include "db/text.hpp"

#include <gtest/gtest.h>

namespace warpwright::db {
namespace {

TEST(Printable, SpellsControlCharactersAndKeepsAllElse) {
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

}  // namespace
}  // namespace warpwright::db
