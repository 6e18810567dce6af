// Tests of backing up and of checking: every kind of damage is found and named.
#include "db/maintenance.hpp"

#include <gmock/gmock.h>

#include "db/connection.hpp"
#include "db/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MaintenanceTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  Bench bench_{store_};
  Id trial_ = store_.add_trial(bench_.measured(16, 1), std::vector{1.0, 2.0}, std::vector{5.0, 6.0});

  void damage(const std::string& sql) {
    store_.connection().execute("PRAGMA foreign_keys = OFF");
    store_.connection().execute(sql);
  }
};

TEST_F(MaintenanceTest, ASoundFileHasNoFindings) {
  store_.add_certificate({.trial_id = trial_, .cases = 200});
  store_.put_access({.configuration_id = bench_.configuration(16), .problem_id = bench_.problem});
  store_.add_baseline(
      {.implementation = "cub", .problem_id = bench_.problem, .verdict = "passed", .samples_us = {-0.0, 1.0}});
  store_.saw_counterexample({.pattern = "p", .kernel = "k", .repro = "line"});
  store_.end_conformance_run(store_.begin_conformance_run({.seed = ~std::uint64_t{0}}), "failed", 1, 1, 0);
  store_.set_ranking(bench_.problem, bench_.board, "measured", std::vector<Ranked>{{trial_, 1, true}});
  Trial trial = bench_.measured(32, 0.0);
  trial.error_ratio = -0.0;
  trial.occupancy = 0.1;
  store_.add_trial(trial);
  EXPECT_THAT(check(store_), IsEmpty());
}

TEST_F(MaintenanceTest, AChangedNumberOrTextIsFound) {
  damage("UPDATE trial SET median_us = 0.9");
  EXPECT_THAT(check(store_), ElementsAre("trial 1: its content is not what was stored"));
  damage("UPDATE board SET sm_count = 1");
  EXPECT_THAT(check(store_), testing::Contains("board 1: its content is not what was stored"));
}

TEST_F(MaintenanceTest, AChangedSampleIsFound) {
  damage("UPDATE sample SET microseconds = zeroblob(16)");
  EXPECT_THAT(check(store_), ElementsAre("trial 1: its content is not what was stored"));
}

TEST_F(MaintenanceTest, ALostSampleIsFound) {
  damage("DELETE FROM sample");
  EXPECT_THAT(check(store_), ElementsAre("trial 1: its content is not what was stored"));
}

TEST_F(MaintenanceTest, ACutOffSampleIsFound) {
  damage("UPDATE sample SET microseconds = substr(microseconds, 1, 11)");
  EXPECT_THAT(check(store_), ElementsAre("sample of trial 1: cut off"));
}

TEST_F(MaintenanceTest, AnOrphanSampleIsFound) {
  damage("DELETE FROM trial");
  EXPECT_THAT(check(store_), ElementsAre("sample 1: refers to a row of trial that is not there"));
}

TEST_F(MaintenanceTest, ABackupIsTheSameContent) {
  backup(store_, folder_ / "copy.db");
  const Store copy(folder_ / "copy.db", Mode::read_only);
  EXPECT_THAT(check(copy), IsEmpty());
  EXPECT_EQ(copy.trial(trial_).identity, store_.trial(trial_).identity);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "copy.db.unfinished"));
}

TEST_F(MaintenanceTest, ABackupReplacesNothingAndSaysWhatIsMissing) {
  std::ofstream(folder_ / "precious") << "text";
  EXPECT_THAT(error_of([&] { backup(store_, folder_ / "precious"); }), HasSubstr("this file exists"));
  EXPECT_EQ(bytes_of(folder_ / "precious"), "text");
  EXPECT_THAT(error_of([&] { backup(store_, folder_ / "no/copy.db"); }), HasSubstr("mkdir -p"));
}

}  // namespace
}  // namespace warpwright::db
