// Tests of what the store keeps, replaces and refuses.
#include "db/store/store.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>

#include "db/query/query.hpp"
#include "db/store/fixture.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class StoreTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
};

TEST_F(StoreTest, ATrialComesBackAsItWasStored) {
  Trial trial = example_.measured(32, 12.5);
  trial.detail = "line 1\nline \x80 2";
  trial.registers = 40;
  trial.grid_blocks = std::int64_t{1} << 40;
  trial.occupancy = 0.75;
  trial.occupancy_limit = "registers";
  trial.error_ratio = 0.25;
  trial.low_us = 12.0;
  trial.high_us = 13.0;
  trial.stopped_early = true;
  trial.is_default = true;
  const Id id = store_.add_trial(trial, std::vector{12.0, 12.5, 13.0}, std::vector{1980.0, 1979.0, 1500.0});

  const Trial stored = store_.trial(id);
  EXPECT_EQ(stored.identity.size(), 32u);
  EXPECT_EQ(stored.detail, trial.detail);
  EXPECT_EQ(stored.registers, 40);
  EXPECT_EQ(stored.spill_bytes, std::nullopt);
  EXPECT_EQ(stored.grid_blocks, trial.grid_blocks);
  EXPECT_EQ(stored.occupancy, 0.75);
  EXPECT_EQ(stored.error_ratio, 0.25);
  EXPECT_EQ(stored.median_us, 12.5);
  EXPECT_EQ(stored.low_us, 12.0);
  EXPECT_EQ(stored.high_us, 13.0);
  EXPECT_TRUE(stored.stopped_early);
  EXPECT_TRUE(stored.is_default);
  EXPECT_EQ(stored.samples, 3);
  EXPECT_THAT(store_.samples(id).microseconds, ElementsAre(12.0, 12.5, 13.0));
  EXPECT_THAT(store_.samples(id).clocks_mhz, ElementsAre(1980.0, 1979.0, 1500.0));
}

TEST_F(StoreTest, TheSameContentIsTheSameTrialAndOneSampleMoreIsAnother) {
  const Trial trial = example_.measured(32, 12.5);
  const Id id = store_.add_trial(trial, std::vector{12.5});
  EXPECT_EQ(store_.add_trial(trial, std::vector{12.5}), id);
  EXPECT_NE(store_.add_trial(trial, std::vector{12.5, 12.5}), id);
  EXPECT_NE(store_.add_trial(trial), id);
}

TEST_F(StoreTest, ATrialWithoutATimeOfDayGetsNow) {
  Trial trial = example_.measured(32, 12.5);
  trial.created_at = "";
  const std::string before = now_utc();
  const std::string stored = store_.trial(store_.add_trial(trial)).created_at;
  EXPECT_LE(before, stored);
  EXPECT_LE(stored, now_utc());
  EXPECT_EQ(stored.size(), std::string("2026-11-21T06:01:28.123Z").size());
}

TEST_F(StoreTest, ResumingFindsTheNewestConclusiveTrialOfAKey) {
  EXPECT_EQ(store_.find_trial("key-32"), std::nullopt);
  Trial trial = example_.measured(32, 10);
  trial.verdict = "skipped";
  store_.add_trial(trial);
  trial.verdict = "unchecked";
  store_.add_trial(trial);
  EXPECT_EQ(store_.find_trial("key-32"), std::nullopt);
  trial.verdict = "timed out";
  const Id hung = store_.add_trial(trial);
  ASSERT_TRUE(store_.find_trial("key-32"));
  EXPECT_EQ(store_.find_trial("key-32")->id, hung);
  trial.created_at = "2026-01-02T00:00:00.000Z";
  trial.verdict = "passed";
  const Id again = store_.add_trial(trial);
  EXPECT_EQ(store_.find_trial("key-32")->id, again);
  store_.add_trial(example_.predicted(16, 3));
  EXPECT_TRUE(store_.find_trial("key-16")) << "a predicted trial is conclusive without a check";
}

TEST_F(StoreTest, RecordsThatBreakARuleAreRefusedWithTheRule) {
  Trial trial = example_.measured(32, 10);
  trial.verdict = "fine";
  EXPECT_THAT(error_of([&] { store_.add_trial(trial); }), HasSubstr("trial.verdict is one of the verdict words"));
  trial = example_.measured(32, 10);
  trial.provenance = "guessed";
  EXPECT_THAT(error_of([&] { store_.add_trial(trial); }), HasSubstr("measured, predicted or imported"));
  trial = example_.measured(32, 10);
  trial.problem_id = 999;
  EXPECT_THAT(error_of([&] { store_.add_trial(trial); }), HasSubstr("problem 999"));
  trial = example_.measured(32, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(error_of([&] { store_.add_trial(trial); }), HasSubstr("finite"));
  trial = example_.measured(32, -1);
  EXPECT_THAT(error_of([&] { store_.add_trial(trial); }), HasSubstr("not negative"));
  trial = example_.measured(32, 1);
  EXPECT_THAT(error_of([&] { store_.add_trial(trial, std::vector{1.0, 2.0}, std::vector{1.0}); }), HasSubstr("clocks"));
  EXPECT_THAT(error_of([&] { store_.upsert(Kernel{.pattern = "p", .kernel = "k", .axes = "no json"}); }),
              HasSubstr("kernel.axes is JSON"));
}

TEST_F(StoreTest, EveryVerdictWordIsAccepted) {
  for (const std::string_view word : all_verdict_words()) {
    Trial trial = example_.measured(32, 10);
    trial.verdict = word;
    EXPECT_EQ(store_.trial(store_.add_trial(trial)).verdict, word);
  }
}

TEST_F(StoreTest, ATransactionThatThrowsLeavesNothing) {
  Id id = 0;
  EXPECT_THROW(store_.transaction([&] {
    id = store_.add_trial(example_.measured(32, 10));
    throw std::logic_error("stop");
  }),
               std::logic_error);
  EXPECT_THAT(error_of([&] { store_.trial(id); }), HasSubstr("there is no trial"));
}

TEST_F(StoreTest, AHiddenInnerFailureUndoesTheOuterTransaction) {
  Id id = 0;
  const std::string error = error_of([&] {
    store_.transaction([&] {
      id = store_.add_trial(example_.measured(32, 10));
      Trial bad = example_.measured(16, 10);
      bad.verdict = "fine";
      EXPECT_THROW(store_.add_trial(bad), Error);
    });
  });
  EXPECT_THAT(error, HasSubstr("none of it was stored"));
  EXPECT_THROW(store_.trial(id), Error);
  EXPECT_GT(store_.add_trial(example_.measured(32, 10)), 0) << "the store goes on working";
}

TEST_F(StoreTest, ATransactionReturnsWhatItsFunctionReturns) {
  EXPECT_EQ(store_.transaction([] { return std::string("yes"); }), "yes");
}

TEST_F(StoreTest, StoringAKernelAgainKeepsItsConfigurationsAndUpdatesItsSource) {
  const Id configuration = example_.configuration(32);
  const Id same = store_.upsert(Kernel{.pattern = "transpose", .kernel = "tiled", .source_hash = "s2"});
  EXPECT_EQ(same, example_.kernel);
  ASSERT_THAT(store_.kernels(), SizeIs(1));
  EXPECT_EQ(store_.kernels()[0].source_hash, "s2");
  EXPECT_EQ(example_.configuration(32), configuration);
  EXPECT_NE(example_.configuration(16), configuration);
}

TEST_F(StoreTest, RowsOfTheSameContentAreStoredOnce) {
  ExampleTrials again{store_,          "sm_90", example_.kernel, example_.problem, example_.board, example_.environment,
                      example_.session};
  EXPECT_EQ(again.problem_of("8192x8192"), example_.problem);
  EXPECT_NE(again.problem_of("8192x8192", "op=sum"), example_.problem);
  EXPECT_NE(again.problem_of("8192x8192", "", "bins=256"), example_.problem);
  EXPECT_NE(again.problem_of("8192x8192", "", "", "zipf"), example_.problem);
  EXPECT_NE(again.problem_of("4096x16384"), example_.problem);
  EXPECT_THAT(store_.problems(), SizeIs(5));
  EXPECT_EQ(store_.upsert(Environment{.gpu_uuid = "GPU-1", .driver = "580", .ecc = true, .os = "Linux"}),
            example_.environment);
  EXPECT_NE(store_.upsert(Environment{.gpu_uuid = "GPU-1", .driver = "580", .os = "Linux"}), example_.environment)
      << "ECC off and ECC unknown differ";
}

TEST_F(StoreTest, ARankingReplacesTheEarlierOneOfItsProblemBoardAndProvenance) {
  const Id a = store_.add_trial(example_.measured(16, 10));
  const Id b = store_.add_trial(example_.measured(32, 11));
  const Id model = store_.add_trial(example_.predicted(32, 9));
  store_.set_ranking(example_.problem, example_.board, "predicted",
                     std::vector<Ranked>{{.trial_id = model, .rank = 1}});
  store_.set_ranking(
      example_.problem, example_.board, "measured",
      std::vector<Ranked>{{.trial_id = a, .rank = 1, .tied = true}, {.trial_id = b, .rank = 2, .tied = true}});
  EXPECT_EQ(store_.trial(a).rank, 1);
  EXPECT_TRUE(store_.trial(b).tied);
  store_.set_ranking(example_.problem, example_.board, "measured", std::vector<Ranked>{{.trial_id = b, .rank = 1}});
  EXPECT_EQ(store_.trial(a).rank, std::nullopt);
  EXPECT_FALSE(store_.trial(a).tied);
  EXPECT_EQ(store_.trial(b).rank, 1);
  EXPECT_FALSE(store_.trial(b).tied);
  EXPECT_EQ(store_.trial(model).rank, 1) << "a ranking of another provenance stays";
}

TEST_F(StoreTest, ARankingWithATrialOfAnotherGroupIsRefused) {
  const Id a = store_.add_trial(example_.measured(16, 10));
  const Id model = store_.add_trial(example_.predicted(32, 9));
  store_.set_ranking(example_.problem, example_.board, "measured", std::vector<Ranked>{{.trial_id = a, .rank = 1}});
  EXPECT_THROW(store_.set_ranking(example_.problem, example_.board, "measured",
                                  std::vector<Ranked>{{.trial_id = a, .rank = 2}, {.trial_id = model, .rank = 1}}),
               Error);
  EXPECT_EQ(store_.trial(a).rank, 1);
}

TEST_F(StoreTest, ASessionIsBegunUpdatedAndEnded) {
  const Id id = store_.begin_session({.command = "tune --arch sm_90", .seed = ~std::uint64_t{0}});
  Session session = store_.session(id);
  EXPECT_EQ(session.seed, ~std::uint64_t{0});
  EXPECT_EQ(session.uid.size(), 32u);
  EXPECT_EQ(session.ended_how, std::nullopt);
  EXPECT_FALSE(session.started_at.empty());
  session.copy_gbs = 4000;
  store_.update_session(id, session);
  store_.end_session(id, "interrupted");
  const Session ended = store_.session(id);
  EXPECT_EQ(ended.uid, session.uid);
  EXPECT_EQ(ended.copy_gbs, 4000);
  EXPECT_EQ(ended.ended_how, "interrupted");
  EXPECT_TRUE(ended.ended_at);
  EXPECT_THAT(error_of([&] { store_.end_session(id, "somehow"); }), HasSubstr("complete, interrupted or failed"));
}

TEST_F(StoreTest, KnownCostsOfAProblemAreKeptIfALaterWriterHasNone) {
  Problem problem{.pattern = "reduce", .types = "float", .shape = "8"};
  const Id id = store_.upsert(problem);
  problem.bytes_read = 32;
  problem.bytes_written = 4;
  problem.operations = 8;
  problem.steps = 64;
  EXPECT_EQ(store_.upsert(problem), id);
  problem.bytes_read = problem.bytes_written = problem.operations = problem.steps = 0;
  EXPECT_EQ(store_.upsert(problem), id);
  EXPECT_EQ(store_.problems().back().bytes_read, 32);
  EXPECT_EQ(store_.problems().back().bytes_written, 4);
  EXPECT_EQ(store_.problems().back().operations, 8);
  EXPECT_EQ(store_.problems().back().steps, 64);
}

TEST_F(StoreTest, AnInvalidShapeIsRefused) {
  for (const char* shape : {"", "big", "64x", "8\n#error"})
    EXPECT_THAT(error_of([&] { example_.problem_of(shape); }), HasSubstr("is not a size")) << shape;
}

TEST_F(StoreTest, PlansAreStoredOnceAndReadBackWithTheirTrial) {
  const Id plan = store_.upsert(PlanText{.text = "launch a", .compile_log = "32 registers"});
  EXPECT_EQ(store_.upsert(PlanText{.text = "launch a", .compile_log = "32 registers"}), plan);
  EXPECT_NE(store_.upsert(PlanText{.text = "launch b", .compile_log = "32 registers"}), plan);
  Trial trial = example_.measured(32, 12.5);
  trial.plan_id = plan;
  const Id id = store_.add_trial(trial);
  ASSERT_EQ(store_.trial(id).plan_id, plan);
  EXPECT_EQ(store_.plan(plan).text, "launch a");
  EXPECT_THROW(store_.plan(999), Error);
}

TEST_F(StoreTest, ComparisonsPointAtTheirTrialAndBaseline) {
  const Id trial = store_.add_trial(example_.measured(32, 12.5));
  const Id baseline = store_.add_baseline({.implementation = "kokkos",
                                           .idiom = "mdrange",
                                           .is_default = true,
                                           .problem_id = example_.problem,
                                           .verdict = "passed"});
  store_.add_comparison(
      {.trial_id = trial, .baseline_id = baseline, .rounds = 30, .ratio = 1.5, .low = 1.4, .high = 1.6});
  ASSERT_THAT(store_.comparisons(), SizeIs(1));
  EXPECT_EQ(store_.comparisons().front().baseline_id, baseline);
  EXPECT_EQ(store_.baselines().front().idiom, "mdrange");
  EXPECT_TRUE(store_.baselines().front().is_default);
  EXPECT_THROW(store_.add_comparison({.trial_id = 999, .baseline_id = baseline}), Error);
}

TEST_F(StoreTest, AMutantIsReplacedByItsNextRun) {
  Mutant mutant{
      .kernel = "reduce/sequential", .rule = "remove barrier", .line = 7, .tool = "host/sm_90", .outcome = "survived"};
  store_.put_mutant(mutant);
  mutant.outcome = "killed";
  mutant.how = "race";
  store_.put_mutant(mutant);
  ASSERT_THAT(store_.mutants(), SizeIs(1));
  EXPECT_EQ(store_.mutants().front().how, "race");
  mutant.outcome = "perhaps";
  EXPECT_THROW(store_.put_mutant(mutant), Error);
}

TEST_F(StoreTest, CertificatesAndBaselinesComeBack) {
  const Id trial = store_.add_trial(example_.measured(32, 10));
  const Id certificate = store_.add_certificate({.trial_id = trial, .cases = 200, .seed = 3, .created_at = "2026"});
  EXPECT_EQ(store_.add_certificate({.trial_id = trial, .cases = 200, .seed = 3, .created_at = "2026"}), certificate);
  ASSERT_THAT(store_.certificates(trial), SizeIs(1));
  EXPECT_EQ(store_.certificates(trial)[0].cases, 200);
  store_.add_baseline({.implementation = "cub",
                       .version = "2.8",
                       .problem_id = example_.problem,
                       .board_id = example_.board,
                       .verdict = "passed",
                       .median_us = 9,
                       .samples_us = {8, 9, 10}});
  ASSERT_THAT(store_.baselines(), SizeIs(1));
  EXPECT_THAT(store_.baselines()[0].samples_us, ElementsAre(8, 9, 10));
}

TEST_F(StoreTest, AConformanceRunIsRecordedFromBeginningToEnd) {
  const Id id = store_.begin_conformance_run({.command = "conform --nightly", .target = "host/sm_90", .glob = "*"});
  ConformanceRun run = store_.conformance_runs().at(0);
  EXPECT_EQ(run.ended_how, std::nullopt);
  run.cases_per_second = 123.5;
  store_.update_conformance_run(id, run);
  store_.end_conformance_run(id, "complete", 1000, 2, 17);
  run = store_.conformance_runs().at(0);
  EXPECT_EQ(run.cases, 1000);
  EXPECT_EQ(run.failures, 2);
  EXPECT_EQ(run.refused, 17);
  EXPECT_EQ(run.cases_per_second, 123.5);
  EXPECT_EQ(run.ended_how, "complete");
}

TEST_F(StoreTest, PredictedTrialsInOneTransactionAreWrittenByOneCommitAndAFewStatementsEach) {
  constexpr int trials = 2'000;
  int commits = 0;
  sqlite3* const handle = store_.connection().database().getHandle();
  sqlite3_commit_hook(
      handle, [](void* count) { return ++*static_cast<int*>(count), 0; }, &commits);
  const int statements = statements_of(store_, [&] {
    store_.transaction([&] {
      for (int i = 0; i < trials; ++i) store_.add_trial(example_.predicted(i, i));
    });
  });
  // What is committed after this test must not be counted in its variable.
  sqlite3_commit_hook(handle, nullptr, nullptr);
  EXPECT_EQ(commits, 1);
  EXPECT_LE(statements, 10 * trials + 10);
  EXPECT_TRUE(store_.find_trial("key-1999"));
}

TEST(DefaultPath, FollowsTheEnvironmentVariables) {
  const TemporaryFolder folder;
  const std::filesystem::path answer = folder / "answer";
  const auto path_with = [&](const char* own, const char* data, const char* home) {
    const auto set = [](const char* name, const char* value) { value ? setenv(name, value, 1) : unsetenv(name); };
    std::string path;
    const int status = status_in_child([&] {
      set("WARPWRIGHT_DB", own);
      set("XDG_DATA_HOME", data);
      set("HOME", home);
      std::ofstream(answer) << default_path().string();
    });
    return status == 0 ? bytes_of(answer) : "thrown";
  };
  EXPECT_EQ(path_with("/x/own.db", "/data", "/home/me"), "/x/own.db");
  EXPECT_EQ(path_with(nullptr, "/data", "/home/me"), "/data/warpwright/warpwright.db");
  EXPECT_EQ(path_with("", "relative", "/home/me"), "/home/me/.local/share/warpwright/warpwright.db");
  EXPECT_EQ(path_with(nullptr, nullptr, nullptr), "thrown");
}

}  // namespace
}  // namespace warpwright::db
