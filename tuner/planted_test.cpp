// A pattern in a folder outside the tree, built with WARPWRIGHT_KERNELS and no edit anywhere; and planted
// configurations that are wrong in every way: a verdict each, none of them best.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>

#include "db/query.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;

std::pair<int, std::string> shell(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), got);
  return {WEXITSTATUS(::pclose(pipe)), text};
}

class OutsideTheTree : public testing::Test {
 protected:
  /// Builds the toy pattern into a tree of its own; several tests may ask at once.
  static void build() {
    fs::create_directories(kBuild);
    fs::create_directories(kOutside);
    const int lock = ::open((kBuild / "test.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    ASSERT_GE(lock, 0);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    fs::copy(fs::path(WARPWRIGHT_SOURCE_DIR) / "tuner" / "testdata" / "kernels", kOutside,
             fs::copy_options::recursive | fs::copy_options::update_existing);
    const auto [configured, configure_log] = shell("cmake -S " WARPWRIGHT_SOURCE_DIR " -B " + kBuild.string() +
                                                   " -G Ninja -DWARPWRIGHT_KERNELS=" + kOutside.string());
    ASSERT_EQ(configured, 0) << configure_log;
    const auto [built, build_log] = shell("ninja -C " + kBuild.string() + " tune worker");
    ASSERT_EQ(built, 0) << build_log.substr(build_log.size() < 4000 ? 0 : build_log.size() - 4000);
    ::close(lock);
  }

  /// Verdicts of the planted kernel by fault, after tuning with these arguments.
  static std::map<std::string, db::TrialView> verdicts(const std::string& arguments, const fs::path& database) {
    fs::remove(database);
    const auto [code, text] = shell((kBuild / "bin" / "tune").string() + " --pattern scale " + arguments + " --cache " +
                                    (kBuild / "test_cache").string() + " --db " + database.string());
    EXPECT_EQ(code, 1) << text;
    std::map<std::string, db::TrialView> found;
    for (auto& view : db::trials(db::Store(database, db::Mode::read_only), {.kernel = "planted"}))
      found[view.params.substr(view.params.rfind(':') + 1)] = view;
    return found;
  }

  static void expect_a_verdict_each(const std::map<std::string, db::TrialView>& found) {
    EXPECT_EQ(found.at("none}").trial.verdict, "passed");
    EXPECT_EQ(found.at("does_not_compile}").trial.verdict, "not compiled");
    EXPECT_EQ(found.at("hangs}").trial.verdict, "timed out");
    EXPECT_EQ(found.at("is_wrong_and_fast}").trial.verdict, "failed");
    EXPECT_EQ(found.at("changes_its_input}").trial.verdict, "failed");
    const std::string& bounds = found.at("writes_out_of_bounds}").trial.verdict;
    EXPECT_TRUE(bounds == "failed" || bounds == "crashed") << bounds;
    for (const auto& [fault, view] : found) {
      if (fault == "none}") continue;
      EXPECT_FALSE(view.trial.rank) << fault;
      EXPECT_FALSE(view.trial.median_us) << fault;
      EXPECT_FALSE(view.trial.detail.empty()) << fault;
    }
  }

  static void expect_a_right_best(const fs::path& database, const std::string& arch) {
    const db::Store store(database, db::Mode::read_only);
    const auto best = db::best(store, {.arch = arch, .pattern = "scale"});
    ASSERT_EQ(best.size(), 1U);
    EXPECT_EQ(best[0].winner.trial.verdict, "passed");
    if (best[0].winner.trial.provenance == "measured") {
      EXPECT_EQ(best[0].winner.certificates.size(), 1U);
    }
  }

  inline static const fs::path kOutside = fs::path(testing::TempDir()) / "warpwright_outside";
  // Beside the ordinary build folder, so that the compiler cache serves both.
  inline static const fs::path kBuild = fs::path(WARPWRIGHT_SOURCE_DIR) / "build-outside";
};

TEST_F(OutsideTheTree, PlantedConfigurationsHaveAVerdictEachOnTheHostAndNoneIsBest) {
  ASSERT_NO_FATAL_FAILURE(build());
  const fs::path database = kBuild / "predicted.db";
  expect_a_verdict_each(verdicts("--arch sm_75 --predict", database));
  expect_a_right_best(database, "sm_75");
}

TEST_F(OutsideTheTree, PlantedConfigurationsHaveAVerdictEachOnTheGpuAndNoneIsBest) {
  if (shell("nvidia-smi -L").first != 0) GTEST_SKIP() << "this machine has no GPU";
  ASSERT_NO_FATAL_FAILURE(build());
  const fs::path database = kBuild / "measured.db";
  const auto found = verdicts("--arch native", database);
  expect_a_verdict_each(found);
  // What one configuration damaged is not blamed on the next.
  EXPECT_NE(found.at("is_wrong_and_fast}").trial.detail.find("are wrong"), std::string::npos);
  expect_a_right_best(database, found.at("none}").trial.target);
}

}  // namespace
}  // namespace warpwright::tuner
