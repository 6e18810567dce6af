// Tests of backing up and checking: every kind of damage is found and named.
#include "db/maintenance/check.hpp"

#include <gmock/gmock.h>

#include "db/query/query.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MaintenanceTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  Id trial_ = store_.add_trial(example_.measured(16, 1), std::vector{1.0, 2.0}, std::vector{5.0, 6.0});

  void damage(const std::string& sql) {
    store_.connection().execute("PRAGMA foreign_keys = OFF");
    store_.connection().execute(sql);
  }
};

TEST_F(MaintenanceTest, ASoundFileHasNoFindings) {
  store_.add_certificate({.trial_id = trial_, .cases = 200});
  store_.put_access({.configuration_id = example_.configuration(16), .problem_id = example_.problem});
  store_.add_baseline(
      {.implementation = "cub", .problem_id = example_.problem, .verdict = "passed", .samples_us = {-0.0, 1.0}});
  store_.saw_counterexample({.pattern = "p", .kernel = "k", .repro = "line"});
  store_.end_conformance_run(store_.begin_conformance_run({.seed = ~std::uint64_t{0}}), "failed", 1, 1, 0);
  store_.set_ranking(example_.problem, example_.board, "measured", std::vector<Ranked>{{trial_, 1, true}});
  Trial trial = example_.measured(32, 0.0);
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

TEST_F(MaintenanceTest, AnAlteredRowIsNamedForTheTrialsThatDependOnIt) {
  const Id other = store_.add_trial(example_.measured(32, 2));
  store_.add_certificate({.trial_id = other, .cases = 200});
  const Id baseline =
      store_.add_baseline({.implementation = "cub", .problem_id = example_.problem, .verdict = "passed"});
  store_.add_comparison({.trial_id = other, .baseline_id = baseline, .rounds = 30, .ratio = 2});
  const auto of = [&](Id trial) {
    std::vector<std::string> texts;
    for (const AlteredRow& row : altered_rows(store_, trial)) texts.push_back(row.table + " " + std::to_string(row.id));
    return texts;
  };
  EXPECT_THAT(of(trial_), IsEmpty());
  EXPECT_THAT(of(other), IsEmpty());
  struct Change {
    const char* sql;
    const char* row;
    bool both;
  };
  for (const Change& change :
       {Change{"UPDATE trial SET predicted_us = 0.1 WHERE id = 2", "trial 2", false},
        Change{"UPDATE trial SET verdict = 'failed' WHERE id = 2", "trial 2", false},
        Change{"UPDATE trial SET simulated_cases = NULL, full_property = 1 WHERE id = 2", "trial 2", false},
        Change{"UPDATE certificate SET cases = 201", "certificate 1", false},
        Change{"UPDATE comparison SET ratio = 3", "comparison 1", false},
        Change{"UPDATE baseline SET median_us = 3", "baseline 1", false},
        Change{"UPDATE configuration SET params = '{.tile_dim = 99}' WHERE id = 2", "configuration 2", false},
        Change{"UPDATE problem SET shape = '1x1'", "problem 1", true},
        Change{"UPDATE board SET model = 'another'", "board 1", true},
        Change{"UPDATE environment SET driver = '1'", "environment 1", true}}) {
    store_.connection().begin();
    damage(change.sql);
    EXPECT_THAT(of(other), ElementsAre(change.row)) << change.sql;
    EXPECT_THAT(of(trial_), testing::SizeIs(change.both ? 1 : 0)) << change.sql;
    EXPECT_THAT(check(store_), ElementsAre(change.row + std::string(": its content is not what was stored")));
    store_.connection().rollback();
  }
}

TEST_F(MaintenanceTest, AnAlteredRankingIsFound) {
  const Id other = store_.add_trial(example_.measured(32, 2));
  const std::vector<Ranked> ranked{{trial_, 1, true}, {other, 2, false}};
  store_.set_ranking(example_.problem, example_.board, "measured", ranked);
  EXPECT_THAT(check(store_), IsEmpty());
  for (const char* change : {"UPDATE trial SET rank = 3 - rank", "UPDATE trial SET tied = 1 WHERE id = 2",
                             "UPDATE trial SET rank = NULL, selection = '' WHERE id = 1"}) {
    store_.connection().begin();
    damage(change);
    const std::vector<std::string> found = check(store_);
    ASSERT_EQ(found.size(), 1U) << change;
    EXPECT_THAT(found[0], HasSubstr("ranking of trial")) << change;
    EXPECT_EQ(altered_rows(store_, other).size(), 1U) << change;
    store_.connection().rollback();
  }
  TemporaryFolder folder;
  Store copy(folder / "b.db");
  merge(copy, store_.path());
  EXPECT_THAT(check(copy), IsEmpty()) << "it is the same ranking in every file";
}

TEST_F(MaintenanceTest, ForgettingRemovesTheTrialsAndRowsThatOnlyTheyUsed) {
  Trial other = example_.measured(32, 2);
  other.plan_id = store_.upsert(PlanText{.text = "of the other"});
  const Id gone = store_.add_trial(other, std::vector{2.0, 2.5}, {}, std::vector{Launch{.entry = "tiled<32>"}});
  store_.add_certificate({.trial_id = gone, .cases = 200});
  const Id baseline =
      store_.add_baseline({.implementation = "cub", .problem_id = example_.problem, .verdict = "passed"});
  store_.add_comparison({.trial_id = gone, .baseline_id = baseline, .rounds = 30, .ratio = 2});
  for (const int tile : {16, 32})
    store_.put_access({.configuration_id = example_.configuration(tile), .problem_id = example_.problem});
  store_.set_ranking(example_.problem, example_.board, "measured",
                     std::vector<Ranked>{{gone, 1, true}, {trial_, 2, false}});
  const Id predicted = store_.add_trial(example_.predicted(32, 1));
  EXPECT_EQ(forget(store_, {.kernel = "none"}), 0);
  EXPECT_EQ(trials(store_, {}).size(), 3U);

  EXPECT_EQ(forget(store_, {.provenance = "predicted"}), 1);
  EXPECT_THAT(error_of([&] { store_.trial(predicted); }), HasSubstr("there is no trial"));
  EXPECT_EQ(store_.trial(gone).rank, 1) << "another ranking";
  EXPECT_EQ(store_.accesses().size(), 2U) << "the measured trials have them too";

  store_.connection().execute("UPDATE trial SET verdict = 'failed' WHERE id = " + std::to_string(gone));
  EXPECT_EQ(forget(store_, {.verdict = "failed"}), 1);
  EXPECT_THAT(check(store_), IsEmpty());
  ASSERT_EQ(trials(store_, {}).size(), 1U);
  EXPECT_EQ(trials(store_, {})[0].trial.id, trial_);
  EXPECT_FALSE(store_.trial(trial_).rank) << "a ranking without its first is none";
  EXPECT_EQ(store_.samples(trial_).microseconds.size(), 2U);
  ASSERT_EQ(store_.accesses().size(), 1U);
  EXPECT_EQ(store_.accesses()[0].configuration_id, example_.configuration(16));
  EXPECT_THAT(store_.comparisons(), IsEmpty());
  for (const char* table : {"sample", "launch", "certificate", "plan"}) {
    Statement rows(store_.connection(), std::string("SELECT count(*) FROM ") + table);
    rows.step();
    EXPECT_EQ(rows.get<int>(0), std::string(table) == "sample" ? 1 : 0) << table;
  }
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
