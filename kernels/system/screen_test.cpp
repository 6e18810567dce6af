// Tests of the width and colours of printed text.
#include "kernels/system/screen.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Screen, IsAsWideAsItsTerminalAndElseAHundredColumns) {
  EXPECT_EQ(screen_in({.terminal_width = 80}).width, 80U);
  EXPECT_EQ(screen_in({.terminal_width = 213}).width, 213U);
  EXPECT_EQ(screen_in({.terminal_width = 0}).width, 100U) << "a terminal that does not know";
  EXPECT_EQ(screen_in({}).width, 100U);
  EXPECT_FALSE(screen_in({}).terminal);
  EXPECT_TRUE(screen_in({.terminal_width = 80, .term = "xterm"}).terminal);
  EXPECT_FALSE(screen_in({.terminal_width = 80, .term = "dumb"}).terminal) << "it cannot erase a line";
}

TEST(Screen, TakesColumnsFromTheEnvironmentIfTheyAreANumber) {
  EXPECT_EQ(screen_in({.columns = "140"}).width, 140U);
  EXPECT_EQ(screen_in({.terminal_width = 80, .columns = "60"}).width, 60U);
  for (const char* none : {"", "0", "-3", "wide", "80x", "99999999999999999999999"})
    EXPECT_EQ(screen_in({.terminal_width = 80, .columns = none}).width, 80U) << none;
}

TEST(Screen, HasColoursOnlyOnATerminalThatSupportsThem) {
  EXPECT_TRUE(screen_in({.terminal_width = 80, .term = "xterm"}).colour);
  EXPECT_TRUE(screen_in({.terminal_width = 80, .no_color = "", .term = "xterm"}).colour);
  EXPECT_FALSE(screen_in({.terminal_width = 80, .no_color = "1", .term = "xterm"}).colour);
  EXPECT_FALSE(screen_in({.terminal_width = 80, .term = "dumb"}).colour);
  EXPECT_FALSE(screen_in({.terminal_width = 80}).colour) << "TERM is not set";
  EXPECT_FALSE(screen_in({.term = "xterm"}).colour) << "a pipe";
}

}  // namespace
}  // namespace warpwright
