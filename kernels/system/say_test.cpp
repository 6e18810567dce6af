// Tests that results and messages never mix, whichever thread writes.
#include "kernels/system/say.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
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

TEST(Say, NoLineHoldsPartsOfTwoHoweverMuchIsPrinted) {
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

TEST(Say, WhatWasWrittenBeforeStandsBefore) {
  const std::string text = both_of([] {
    std::printf("by hand\n");
    say("first");
    print("second\n");
    say("third\n");
  });
  EXPECT_EQ(text, "by hand\nfirst\nsecond\nthird\n");
}

TEST(Say, TheStatusLineMakesRoomAndComesBack) {
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
