// Tests of the command line of `conform`: invalid options, time limits, and Ctrl-C at any moment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "conformance/program/command_line.hpp"
#include "db/store/store.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

const std::string kCache = " --cache " WARPWRIGHT_BINARY_DIR "/test_cache";

struct Result {
  int code = -1;
  std::string text;
};

const std::string kConform = WARPWRIGHT_BINARY_DIR "/bin/conform ";

/// Runs conform in a shell.
Result conform(const std::string& arguments) {
  const simulator::ProcessResult result =
      simulator::run_process({"sh", "-c", kConform + arguments}, "", time_factor * std::chrono::minutes(5));
  return {.code = result.exit_code, .text = result.output};
}

/// The same with an empty cache, and with Ctrl-C after `programs` compiled programs; 0: as soon as the cache exists.
Result interrupted(const std::string& arguments, std::size_t programs) {
  const TemporaryFolder folder;
  const fs::path log = folder / "log", cache = folder / "cache";
  simulator::ChildProcess child(
      {"sh", "-c", "exec " + kConform + arguments + " --cache " + cache.string() + " > " + log.string() + " 2>&1"});
  const auto has_compiled = [&] {
    std::error_code none;
    const fs::directory_iterator files(cache / "entries", none);
    return !none && static_cast<std::size_t>(std::distance(begin(files), end(files))) >= programs;
  };
  EXPECT_TRUE(eventually(has_compiled)) << arguments;
  child.kill(SIGINT);
  const int code = child.wait().exit_code;
  std::ifstream file(log);
  return {.code = code, .text = {std::istreambuf_iterator<char>(file), {}}};
}

class ConformCommand : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const fs::path db_ = folder_ / "run.db";
};

/// The names of the kernels in the output of `conform --list`.
std::multiset<std::string> listed(const std::string& arguments) {
  const auto list = nlohmann::json::parse(conform("--list --json " + arguments).text);
  std::multiset<std::string> names;
  for (const auto& kernel : list["kernels"]) names.insert(kernel["kernel"].get<std::string>());
  return names;
}

TEST_F(ConformCommand, ShardsAreDisjointAndTogetherCoverAllKernels) {
  std::multiset<std::string> together;
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
    const auto part = listed(std::string("'reduce/*' 'scan/*' --shard ") + shard);
    EXPECT_LE(part.size(), 8U);
    together.insert(part.begin(), part.end());
  }
  EXPECT_EQ(together, listed("'reduce/*' 'scan/*'"));
  const Result wrong = conform("--shard 5/4");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.text, HasSubstr("they are 1/4 to 4/4"));
  EXPECT_EQ(conform("--mutants --shard 1/4").code, 2);
  Result empty;
  for (int i = 1; i <= 2 && empty.text.find("is empty") == std::string::npos; ++i)
    empty = conform("transpose/copy --cases 1 --points 1 --shard " + std::to_string(i) + "/2 --db " + db_.string() +
                    kCache);
  EXPECT_EQ(empty.code, 0) << empty.text;
  EXPECT_THAT(empty.text, HasSubstr("of these kernels is empty"));
  EXPECT_TRUE(fs::exists(db_));
}

TEST_F(ConformCommand, ARunThatRunsOutOfTimeBeforeEveryKernelHadACaseIsNotClean) {
  const Result run = conform("'transpose/*' --minutes 0.0001 --db " + db_.string() + kCache);
  EXPECT_EQ(run.code, 1) << run.text;
  EXPECT_THAT(run.text, AllOf(HasSubstr("not run"), HasSubstr("NOT RUN"), HasSubstr("this run is not clean")));
  EXPECT_THAT(run.text, Not(HasSubstr("passed")));
  const auto runs = db::Store(db_).conformance_runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].ended_how, "out of time");
}

TEST_F(ConformCommand, ANightlyRunThatRunsOutOfTimeWithoutFailuresHasItsOwnExitCode) {
  for (const char* night : {"--nightly", "--mutants --mutants-tier nightly"}) {
    const Result run =
        conform(std::string("'transpose/*' ") + night + " --minutes 0.0001 --db " + db_.string() + kCache);
    EXPECT_EQ(run.code, 4) << night << "\n" << run.text;
  }
}

TEST_F(ConformCommand, MutantsObeyTheirTimeLimitAndWriteJUnit) {
  const std::string junit = (folder_ / "mutants.xml").string();
  const std::string data = (folder_ / "mutants.json").string();
  const Result run = conform("transpose/copy --mutants --mutants-limit 40 --minutes 0.002 --json --junit " + junit +
                             " --cache " + (folder_ / "cache").string() + " 2>&1 > " + data);
  EXPECT_EQ(run.code, 1) << run.text;
  EXPECT_THAT(run.text, HasSubstr("NOT RUN: "));
  std::ifstream printed(data);
  const auto rows = nlohmann::json::parse(printed);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back()["outcome"], "not run");
  std::ifstream file(junit);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
              AllOf(HasSubstr("<testsuite name=\"conform --mutants"), HasSubstr("<skipped message=\"not run")));
}

TEST_F(ConformCommand, CtrlCEndsEveryPhaseQuicklyAndPrintsResultsSoFar) {
  // Interrupts compiling, running cases, listing mutants and running mutants. Uninterrupted, each phase would take
  // longer than this test is allowed to.
  const std::string here = " --db " + db_.string();
  struct Phase {
    std::string arguments;
    std::size_t programs;
  };
  for (const Phase& phase :
       {Phase{"--nightly" + here, 0}, Phase{"--nightly" + here, 1},
        Phase{"'transpose/*' --cases 100 --points 6 --jobs 1" + here, 13}, Phase{"--mutants" + here, 0},
        Phase{"--mutants" + here, 2}, Phase{"'transpose/*' --mutants --nightly" + here, 4}}) {
    const Result run = interrupted(phase.arguments, phase.programs);
    EXPECT_EQ(run.code, 130) << phase.arguments << "\n" << run.text;
  }
  const db::Store store(db_);
  const auto runs = store.conformance_runs();
  ASSERT_GE(runs.size(), 2U);
  for (const db::ConformanceRun& run : runs) EXPECT_EQ(run.ended_how, "interrupted");
  EXPECT_GT(runs.back().cases, 0) << "those before the interruption are kept";
  EXPECT_EQ(nlohmann::json::parse(runs.front().progress).empty(), false);
}

TEST_F(ConformCommand, WithoutAGpuItNamesATargetThatNeedsNone) {
  const Result run = conform("--target sm_75" + kCache);
  if (run.code == 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(run.code, 3) << run.text;
  EXPECT_THAT(run.text, AllOf(HasSubstr("without a GPU: --target host/sm_75"), Not(HasSubstr("--arch"))));
  EXPECT_EQ(conform("--target sm_7" + kCache).code, 2);
  EXPECT_EQ(conform("--target elsewhere" + kCache).code, 2);
}

TEST_F(ConformCommand, InvalidRequestsAreExplainedWithoutControlCharacters) {
  const Result jobs = conform("transpose/copy --cases 1 --jobs 999999" + kCache);
  EXPECT_EQ(jobs.code, 2) << jobs.text;
  EXPECT_THAT(jobs.text, HasSubstr("1024"));
  EXPECT_EQ(conform("transpose/copy --cases 2 --points 1 --jobs 1024" + kCache).code, 0);
  for (const char* arguments :
       {"\"$(printf 'a\\033[31mb')\"", "transpose/copy --cases \"$(printf '\\033[31m')\"",
        "transpose/copy --cases 1 --points 1 --junit \"$(printf '/nowhere/\\033[31m/a.xml')\""}) {
    const Result wrong = conform(arguments + kCache);
    EXPECT_THAT(wrong.code, AnyOf(2, 3)) << wrong.text;
    EXPECT_THAT(wrong.text, AllOf(HasSubstr("\\x1b[31m"), Not(HasSubstr("\x1b")))) << arguments;
  }
  for (const char* arguments :
       {"nothing/like_it", "nothing/like_it --cases 1", "nothing/like_it --mutants", "--cases 0", "--json --csv",
        "--minutes 0", "--strict maybe", "--mutants --strict off", "--repro x --minutes 1", "--sanitizer --junit x",
        "--sanitizer --sarif x", "--fail-on everything", "--mutants --fail-on skipped"})
    EXPECT_EQ(conform(arguments + kCache).code, 2) << arguments;
}

TEST(Announcement, SaysHowLongARunTakesAndHowToShortenItIfItHasNoTimeLimit) {
  Options options;
  options.target = "host/sm_90";
  options.jobs = 2;
  EXPECT_THAT(announcement(91, options), AllOf(HasSubstr("91 kernels, 200 cases each, about "),
                                               HasSubstr(" minutes on 2 cores\n"), HasSubstr("--cases 20")));
  EXPECT_EQ(announcement(1, options), "");
  options.cases = 2;
  EXPECT_EQ(announcement(91, options), "");
  options.cases = 200;
  options.minutes = 5;
  EXPECT_EQ(announcement(91, options), "") << "its end is known";
}

TEST_F(ConformCommand, ResultsGoToStdoutWithinAHundredColumnsAndAllElseToStderr) {
  const Result run = conform("'transpose/*' --cases 3 --points 1" + kCache + " 2>/dev/null");
  EXPECT_EQ(run.code, 0) << run.text;
  std::istringstream lines(run.text);
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, AllOf(testing::StartsWith("KERNEL "), testing::EndsWith("  VERDICT")));
  std::size_t rows = 0;
  for (; std::getline(lines, line) && line.starts_with("transpose/"); ++rows) {
    EXPECT_LE(line.size(), 100U) << line;
    EXPECT_THAT(line, HasSubstr("  passed"));
  }
  EXPECT_EQ(rows, listed("'transpose/*'").size());
  EXPECT_THAT(line, AllOf(HasSubstr(" cases of " + std::to_string(rows) + " kernels in "), HasSubstr(": all passed")));
  EXPECT_FALSE(std::getline(lines, line)) << line;
  const Result more = conform("transpose/copy --cases 3 --points 1 -v" + kCache);
  EXPECT_THAT(more.text, AllOf(HasSubstr(" cases/s, "), HasSubstr(" accesses/s, ")));
}

TEST_F(ConformCommand, TheListBeginsWithTheNumberOfKernels) {
  const Result text = conform("'transpose/*' transpose --list");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.text, AllOf(HasSubstr(" kernels on host/sm_90\n"), HasSubstr("transpose/copy")));
  const Result run = conform("'transpose/*' --as sm_75 --list --json");
  ASSERT_EQ(run.code, 0) << run.text;
  const auto list = nlohmann::json::parse(run.text);
  EXPECT_EQ(list.at("count"), list.at("kernels").size());
  EXPECT_EQ(list.at("target"), "host/sm_75");
  EXPECT_TRUE(run.text.starts_with("{\n  \"json_version\": 2,\n  \"count\": ")) << run.text;
  for (const auto& kernel : list.at("kernels")) EXPECT_GT(kernel.at("configurations").get<int>(), 0);
}

}  // namespace
}  // namespace warpwright::conformance
