// Tests of formatting stored findings.
#include "tuner/program/finding_text.hpp"

#include <gmock/gmock.h>

namespace warpwright::tuner {
namespace {

using testing::MatchesRegex;

std::string said(const std::string& verdict, const std::string& detail) {
  db::TrialView view;
  view.trial.verdict = verdict;
  view.trial.detail = detail;
  view.pattern = "transpose";
  view.kernel = "tiled";
  view.params = "{.tile = a::b::wide}";
  return finding_text(catalogue(), catalogue().kernel("transpose/tiled"), view);
}

TEST(FindingText, BeginsWithTheLocationAndEndsWithTheCommandToReproduceIt) {
  EXPECT_EQ(said("failed", "a b.cu:6:67: race: store of 4 bytes; block (0, 0, 0); address 0x7f; reproduce: conform x"),
            "a b.cu:6:67: race: store of 4 bytes\n  block (0, 0, 0)\n  reproduce: conform x\n");
}

TEST(FindingText, WithoutALocationNamesTheKernelsDefinition) {
  EXPECT_THAT(said("failed", "out[3] is 4 instead of 5"),
              MatchesRegex(".*transpose/tiled.cuh:[0-9]+:[0-9]+: wrong result: out.3. is 4 instead of 5\n"
                           "  in transpose/tiled .*\n"));
  EXPECT_THAT(said("crashed", "signal 11"), MatchesRegex(".*:[0-9]+:[0-9]+: crashed: signal 11\n.*"));
}

TEST(FindingText, OfACompileErrorHasTheFirstLinesOfTheCompilerOutput) {
  std::string log = "error";
  for (int line = 0; line < 30; ++line) log += "\nline " + std::to_string(line);
  EXPECT_THAT(said("not compiled", log), MatchesRegex(".*: does not compile: error\n  line 0\n.*  line 4\n  in .*"));
}

TEST(FindingText, OfAWrongReferenceSaysWhatWhereAndWhatToDo) {
  EXPECT_EQ(oracle_fault_text({false, "job:sums", "job:sums[float,4096]", "sums.cu:4:21: race: a store; address 0x7f"}),
            "tune: job:sums has a wrong reference: the code that gives the right answers fails itself, on "
            "job:sums[float,4096]\nsums.cu:4:21: race: a store\n  Correct it: the \"oracle\" of the job "
            "or, where it has none, its default configuration. Then run tune again.\n");
}

TEST(FindingText, OfWrongDataNamesTheFunctionThatMakesThem) {
  EXPECT_EQ(oracle_fault_text({true, "job:sums", "job:sums[float,4096]", "fill writes past the end of buffer 'in'"}),
            "tune: job:sums: the function that makes its data fails itself, on job:sums[float,4096]\nfill writes past "
            "the end of buffer 'in'\n  Correct it. Then run tune again.\n");
}

}  // namespace
}  // namespace warpwright::tuner
