// Tests that results and messages never mix, whichever thread writes.
#include "kernels/system/say.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace warpwright::program {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// The output of f() in a child whose standard output and standard error are one pipe.
std::string both_of(const auto& f) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    f();
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What f() prints on standard error in a child for which that is a terminal of 40 columns.
std::string on_terminal(const auto& f) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) throw std::runtime_error("no terminal");
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  const winsize size{.ws_row = 24, .ws_col = 40, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(slave, TIOCSWINSZ, &size);
  const pid_t child = fork();
  if (child == 0) {
    unsetenv("COLUMNS");
    dup2(slave, STDERR_FILENO);
    f();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  char buffer[4096];
  const ssize_t count = read(master, buffer, sizeof buffer);
  close(slave);
  close(master);
  return {buffer, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

TEST(Say, LinesAreWrappedOnATerminalOnly) {
  const auto say_it = [] { say("tune: a message that is wider than the terminal is"); };
  EXPECT_EQ(on_terminal(say_it), "tune: a message that is wider than the\r\n  terminal is\r\n");
  EXPECT_EQ(both_of(say_it), "tune: a message that is wider than the terminal is\n");
}

TEST(Say, LinesNeverMixHoweverMuchIsPrinted) {
  const std::string text = both_of([] {
    std::jthread other([] {
      for (int i = 0; i < 300; ++i) say("tune: a message");
    });
    std::string results;
    for (int i = 0; i < 20; ++i) results += "result " + std::string(97, 'r') + "\n";
    for (int i = 0; i < 100; ++i) print(results);
  });
  std::size_t results = 0, messages = 0;
  for (const std::string& line : lines_of(text)) {
    if (line == "tune: a message") {
      ++messages;
    } else {
      ASSERT_EQ(line, "result " + std::string(97, 'r'));
      ++results;
    }
  }
  EXPECT_EQ(messages, 300U);
  EXPECT_EQ(results, 2000U);
}

TEST(Say, EarlierOutputStaysFirst) {
  const std::string text = both_of([] {
    std::printf("by hand\n");
    say("first");
    print("second\n");
    say("third\n");
  });
  EXPECT_EQ(text, "by hand\nfirst\nsecond\nthird\n");
}

TEST(Say, EstimatesAreRoundedToWhatTheyAreWorth) {
  EXPECT_EQ(about(9.9), "a few seconds");
  EXPECT_EQ(about(47), "45 s");
  EXPECT_EQ(about(130), "2 min");
  EXPECT_EQ(about(5400), "1.5 h");
}

TEST(Say, TheStatusLineMovesBelowOtherLines) {
  const std::string text = both_of([] {
    show_status("half done");
    say("a warning");
    print("a result\n");
    show_status("");
  });
  EXPECT_THAT(text, StartsWith("\r\x1b[Khalf done\r\x1b[Ka warning\nhalf done"));
  EXPECT_THAT(text, HasSubstr("\r\x1b[Ka result\nhalf done"));
  EXPECT_THAT(text, EndsWith("half done\r\x1b[K"));
}

}  // namespace
}  // namespace warpwright::program
