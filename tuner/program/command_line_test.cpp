// Tests of tune's command line: the meaning of options that are not given.
#include "tuner/program/command_line.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

Options parsed(const std::string& line) {
  Options options;
  CLI::App app;
  add_options(app, options);
  app.parse(line);
  return options;
}

TEST(CommandLine, BaselinesAreUsedIfTheyWereBuiltUnlessAFlagSaysOtherwise) {
  EXPECT_EQ(parsed("--arch sm_90").baselines, std::nullopt);
  EXPECT_EQ(parsed("--arch sm_90 --baselines").baselines, true);
  EXPECT_EQ(parsed("--arch sm_90 --no-baselines").baselines, false);
  EXPECT_EQ(parsed("--baselines --arch sm_90 --no-baselines").baselines, false);
}

}  // namespace
}  // namespace warpwright::tuner
