// Tests of the program `tune` in a failing environment: exit code 3, advice, and nothing stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "db/query/query.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path kPrograms = fs::path(WARPWRIGHT_BINARY_DIR) / "bin";

class EnvironmentFaults : public testing::Test {
 protected:
  /// The command for two configurations, unless `arguments` says otherwise.
  std::string command(const std::string& arguments = "--evaluations 2") const {
    return (kPrograms / "tune").string() +
           " --arch sm_75 --predict --no-report --pattern transpose/copy --with op=copy" + " --type float --cache " +
           cache_.string() + " --db " + db_.string() + " " + arguments;
  }

  static simulator::ProcessResult shell(const std::string& text) {
    return simulator::run_process({"bash", "-c", text}, "", time_factor * std::chrono::minutes(9));
  }

  /// Expects the exit code of an environment fault, these words, and nothing stored in the database or the cache.
  void expect_fault(const std::string& text, const std::string& words) const {
    const simulator::ProcessResult result = shell(text);
    EXPECT_EQ(result.exit_code, 3) << text << "\n" << result.output;
    EXPECT_THAT(result.output, HasSubstr(words)) << text;
    EXPECT_THAT(verdicts(), IsEmpty()) << text;
    EXPECT_FALSE(fs::exists(cache_ / "entries") && !fs::is_empty(cache_ / "entries")) << text;
  }

  std::vector<std::string> verdicts() const {
    std::vector<std::string> found;
    if (!fs::exists(db_)) return found;
    for (const auto& view : db::trials(db::Store(db_, db::Mode::read_only), {})) found.push_back(view.trial.verdict);
    return found;
  }

  const TemporaryFolder folder_;
  const fs::path cache_ = folder_ / "cache";
  const fs::path db_ = folder_ / "tune.db";
};

TEST_F(EnvironmentFaults, AnUnusableTemporaryFolder) {
  expect_fault("TMPDIR=/nonsense " + command(), "TMPDIR");
}

TEST_F(EnvironmentFaults, AStackTooSmallForCompilers) {
  expect_fault("ulimit -s 1024; " + command(), "ulimit -s");
}

TEST_F(EnvironmentFaults, TooFewFileDescriptors) {
  expect_fault("ulimit -n 40; " + command(), "ulimit -n");
}

TEST_F(EnvironmentFaults, ACompilerThatIsKilled) {
  std::ofstream(folder_ / "c++") << "#!/bin/bash\nfor word in \"$@\"; do [ \"$word\" = -dM ] && exec g++ \"$@\"; done\n"
                                 << "kill -KILL $$\n";
  fs::permissions(folder_ / "c++", fs::perms::owner_all);
  const simulator::ProcessResult result = shell("WARPWRIGHT_HOST_CXX=" + (folder_ / "c++").string() + " " + command());
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(verdicts(), IsEmpty());
}

TEST_F(EnvironmentFaults, WithoutAHostCompilerItSaysSoAndWhatIsRequestedUncheckedIsCheckedLater) {
  const std::string without = "WARPWRIGHT_HOST_CXX=/nowhere/c++ ";
  expect_fault(without + command(), "--unchecked");
  expect_fault(without + command(), "g++");
  const simulator::ProcessResult unchecked = shell(without + command("--evaluations 2 --unchecked"));
  EXPECT_LE(unchecked.exit_code, 1) << "nothing can be ranked, and the machine was enough for that: "
                                    << unchecked.output;
  EXPECT_THAT(unchecked.output,
              AllOf(HasSubstr("Nothing was checked either"), HasSubstr("what was not checked has no predicted time")));
  EXPECT_EQ(verdicts(), (std::vector<std::string>{"unchecked", "unchecked"}));
  const simulator::ProcessResult checked = shell(command());
  EXPECT_EQ(checked.exit_code, 0) << checked.output;
  EXPECT_GE(std::ranges::count(verdicts(), "passed"), 2) << checked.output;
  EXPECT_EQ(std::ranges::count(verdicts(), "unchecked"), 2) << "none but those of before: " << checked.output;
  // Again without a host compiler: checked trials are reused. The option has an older name.
  EXPECT_THAT(shell(without + command("--evaluations 2 --unjudged")).output, HasSubstr("2 known from earlier runs"));
}

TEST_F(EnvironmentFaults, DamagedCacheEntriesAreRebuiltWithOneWarning) {
  ASSERT_EQ(shell(command()).exit_code, 0);
  for (const auto& part : {"entries", "files"})
    for (const auto& file : fs::directory_iterator(cache_ / part)) fs::resize_file(file, 20);
  const simulator::ProcessResult again = shell(command("--evaluations 2 --remeasure"));
  EXPECT_EQ(again.exit_code, 0) << again.output;
  const auto warning = again.output.find("are damaged");
  EXPECT_NE(warning, std::string::npos) << again.output;
  EXPECT_EQ(warning, again.output.rfind("are damaged"));
  const simulator::ProcessResult third = shell(command("--evaluations 2 --remeasure --verbose"));
  EXPECT_EQ(third.output.find("damaged"), std::string::npos) << third.output;
  EXPECT_THAT(third.output, HasSubstr("0 programs compiled"));
}

TEST_F(EnvironmentFaults, TemporaryFoldersOfKilledRunsAreDeletedByTheNext) {
  const fs::path temporary = folder_ / "tmp";
  fs::create_directories(temporary);
  const std::string here = "TMPDIR=" + temporary.string() + " ";
  // A run that was killed before it locked its folder leaves a folder with another name, which is deleted after some
  // minutes.
  const auto folders = [&] {
    return std::ranges::count_if(fs::directory_iterator(temporary), [](const auto& entry) {
      return entry.path().filename().string().starts_with("warpwright-run-");
    });
  };
  simulator::ChildProcess killed({"bash", "-c", here + "exec " + command("> /dev/null 2>&1")});
  ASSERT_TRUE(eventually([&] { return folders() > 0; })) << "no worker compiled anything for the host";
  killed.kill();
  killed.wait();
  // A compiler that outlives its worker writes to that folder until it ends.
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(shell(here + command()).exit_code, 0);
    return folders() == 0;
  }));
}

/// Number of files in a cache; it grows with every compiled program.
std::size_t entries_of(const fs::path& cache) {
  std::error_code none;
  const fs::directory_iterator files(cache / "entries", none);
  return none ? 0 : static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// Child processes of `parent` that are workers.
std::vector<pid_t> workers_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    if (text.find("(worker)") == std::string::npos) continue;
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string state;
    pid_t its_parent = 0;
    if (fields >> state >> its_parent && its_parent == parent) found.push_back(std::stoi(entry.path().filename()));
  }
  return found;
}

TEST_F(EnvironmentFaults, SignalsToWorkersGiveNoVerdict) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int sent = 0;
  for (int round = 0; round < 4; ++round) {
    fs::remove_all(cache_);
    const fs::path pid_file = folder_ / ("pid" + std::to_string(round));
    simulator::ChildProcess tune(
        {"bash", "-c",
         "echo $$ > " + pid_file.string() + "; exec " + command("--evaluations 8 --remeasure > /dev/null 2>&1")});
    pid_t pid = 0;
    ASSERT_TRUE(eventually([&] { return std::ifstream(pid_file) >> pid && pid > 0; }));
    for (int moment = 0; moment < 2; ++moment) {
      // After a random number of compiled programs, or at the end of the run.
      const std::size_t programs = entries_of(cache_) + below(3);
      std::vector<pid_t> workers;
      ASSERT_TRUE(eventually([&] {
        workers = workers_of(pid);
        return !is_running(pid) || (!workers.empty() && entries_of(cache_) >= programs);
      }));
      if (workers.empty()) continue;
      ::kill(workers[below(workers.size())], below(2) == 0 ? SIGKILL : SIGSTOP);
      ++sent;
    }
    const int code = tune.wait().exit_code;
    EXPECT_TRUE(code == 0 || code == 3) << code;
    for (const std::string& verdict : verdicts()) EXPECT_EQ(verdict, "passed");
  }
  EXPECT_GT(sent, 0);
}

}  // namespace
}  // namespace warpwright::tuner
