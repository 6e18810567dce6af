// Tests of several runs of `tune` at once on one database: they share the work, and one completes what another leaves
// undone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>

#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/leases.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kConfigurations = 55;  ///< of transpose/copy

/// The number before these words in a run's output; 0 if they are missing.
int number_before(const std::string& words, const std::string& text) {
  std::smatch found;
  return std::regex_search(text, found, std::regex("(\\d+) " + words)) ? std::stoi(found[1]) : 0;
}

class SharedWork : public testing::Test {
 protected:
  /// A run in the background, whose leases last this long.
  struct Started {
    fs::path log;
    std::unique_ptr<simulator::ChildProcess> process;

    std::string text() const {
      std::ifstream file(log);
      return {std::istreambuf_iterator<char>(file), {}};
    }
    int own() const { return number_before("configurations predicted", text()); }
    int earlier() const { return number_before("known from earlier runs", text()); }
    int from_beside() const { return number_before("known from another run beside this one", text()); }
    int evaluated() const { return own() + earlier() + from_beside(); }
  };

  Started start(const std::string& arguments = "", const std::string& lease = "600s") {
    const fs::path log = folder_ / ("log" + std::to_string(started_++));
    const std::string command = "COLUMNS=300 WARPWRIGHT_LEASE=" + lease + " exec " + WARPWRIGHT_BINARY_DIR +
                                "/bin/tune --predict --no-report --arch sm_75 --pattern transpose/copy --with op=copy"
                                " --type float --cache " +
                                cache_.string() + " --db " + db_.string() + " " + arguments + " > " + log.string() +
                                " 2>&1";
    return {.log = log,
            .process = std::make_unique<simulator::ChildProcess>(std::vector<std::string>{"sh", "-c", command})};
  }

  std::int64_t leased_now() const {
    std::int64_t sum = 0;
    try {
      for (const db::LeasedBy& one : db::leases_held(db::Store(db_, db::Mode::read_only))) sum += one.count;
    } catch (const db::Error&) {
      // The run is just creating the file.
    }
    return sum;
  }

  std::vector<db::TrialView> trials() const { return db::trials(db::Store(db_, db::Mode::read_only), {}); }

  /// Expects one trial per configuration, a second one of the best (after its full property test), a sound file, and no
  /// leases.
  void expect_each_checked_once() const {
    std::multiset<std::string> seen;
    int whole = 0;
    for (const db::TrialView& view : trials()) {
      EXPECT_EQ(view.trial.verdict, "passed") << view.trial.detail;
      view.trial.full_property ? void(++whole) : void(seen.insert(view.params));
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kConfigurations));
    EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), seen.size()) << "some twice";
    EXPECT_EQ(whole, 1);
    EXPECT_EQ(leased_now(), 0);
    EXPECT_THAT(db::check(db::Store(db_)), IsEmpty());
  }

  /// The lines of the output that name the best configurations and their time.
  static std::string best_of(const std::string& text) {
    const auto begin = text.find("\ntranspose  ");
    return begin == std::string::npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
  }

  const TemporaryFolder folder_;
  const fs::path db_ = folder_ / "tune.db";
  const fs::path cache_ = folder_ / "cache";
  int started_ = 0;
};

TEST_F(SharedWork, FourRunsAtOnceShareTheWorkAndEndWithTheSameResult) {
  std::vector<Started> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(start());
  int own = 0;
  std::set<std::string> bests;
  for (Started& run : runs) {
    EXPECT_EQ(run.process->wait().exit_code, 0) << run.text();
    EXPECT_EQ(run.evaluated(), kConfigurations) << run.text();
    own += run.own();
    bests.insert(best_of(run.text()));
  }
  EXPECT_EQ(own, kConfigurations);
  EXPECT_EQ(bests.size(), 1U);
  EXPECT_THAT(*bests.begin(), HasSubstr("predicted"));
  expect_each_checked_once();
}

TEST_F(SharedWork, WorkLeasedByAKilledRunIsDoneByOthersAfterTheLeaseExpires) {
  const Started killed = start("", "2s");
  ASSERT_TRUE(eventually([&] { return leased_now() > 0; })) << killed.text();
  // At once: a run that is left alone while slow ones start may complete everything.
  killed.process->kill(SIGKILL);
  killed.process->wait();
  const auto stored = static_cast<int>(trials().size());
  EXPECT_GT(leased_now(), 0) << "it was killed too late to show anything";
  std::vector<Started> others;
  for (int i = 0; i < 3; ++i) others.push_back(start("", "2s"));
  int own = 0;
  for (Started& run : others) {
    EXPECT_EQ(run.process->wait().exit_code, 0) << run.text();
    EXPECT_EQ(run.evaluated(), kConfigurations) << run.text();
    own += run.own();
  }
  EXPECT_GE(own, kConfigurations - stored);
  expect_each_checked_once();
  EXPECT_FALSE(db::Store(db_).sessions().front().ended_how);
}

TEST_F(SharedWork, CtrlCReleasesLeasesAtOnce) {
  const Started interrupted = start();
  ASSERT_TRUE(eventually([&] { return leased_now() > 0; })) << interrupted.text();
  interrupted.process->kill(SIGINT);
  EXPECT_EQ(interrupted.process->wait().exit_code, 130) << interrupted.text();
  EXPECT_EQ(leased_now(), 0);
  Started next = start();  // would otherwise wait for ten minutes
  EXPECT_EQ(next.process->wait().exit_code, 0) << next.text();
  expect_each_checked_once();
}

TEST_F(SharedWork, ARunThatWasSuspendedForLongerThanItsLeasesStoresNothingTwice) {
  Started stopped = start("", "1s");
  ASSERT_TRUE(eventually([&] { return leased_now() > 0; })) << stopped.text();
  stopped.process->kill(SIGSTOP);
  Started other = start("", "1s");
  EXPECT_EQ(other.process->wait().exit_code, 0) << other.text();
  EXPECT_EQ(other.evaluated(), kConfigurations) << other.text();
  stopped.process->kill(SIGCONT);
  EXPECT_EQ(stopped.process->wait().exit_code, 0) << stopped.text();
  EXPECT_EQ(stopped.evaluated(), kConfigurations) << stopped.text();
  EXPECT_GT(stopped.from_beside(), 0);
  EXPECT_EQ(best_of(stopped.text()), best_of(other.text()));
  expect_each_checked_once();
}

TEST_F(SharedWork, RunsThatMeasureAgainAlsoShareTheWork) {
  ASSERT_EQ(start().process->wait().exit_code, 0);
  fs::remove_all(cache_);
  std::vector<Started> again;
  for (int i = 0; i < 2; ++i) again.push_back(start("--remeasure"));
  int own = 0;
  for (Started& run : again) {
    EXPECT_EQ(run.process->wait().exit_code, 0) << run.text();
    EXPECT_EQ(run.evaluated(), kConfigurations) << run.text();
    own += run.own();
  }
  EXPECT_EQ(own, kConfigurations) << again[0].text() << again[1].text();
  EXPECT_EQ(trials().size(), 2U * (kConfigurations + 1));
}

TEST_F(SharedWork, RunsWithABudgetOfEvaluationsObeyItAndStoreNothingTwice) {
  std::vector<Started> runs;
  for (const char* strategy : {"gaussian_process", "gaussian_process", "random"})
    runs.push_back(start(std::string("--evaluations 12 --strategy ") + strategy));
  for (Started& run : runs) {
    EXPECT_EQ(run.process->wait().exit_code, 0) << run.text();
    EXPECT_EQ(run.evaluated(), 12) << run.text();
  }
  std::multiset<std::string> seen;
  double least = 1e300;
  for (const db::TrialView& view : trials()) {
    if (!view.trial.full_property) seen.insert(view.params);
    least = std::min(least, view.trial.predicted_us.value_or(least));
  }
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), seen.size()) << "some twice";
  const auto best = db::best(db::Store(db_), {.arch = "sm_75"});
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0].winner.trial.predicted_us, least) << "whichever run found it";
}

}  // namespace
}  // namespace warpwright::tuner
