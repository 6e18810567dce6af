// Tests of reading a database, of the numbers computed from it, and of drift and new failures.
#include "reports/model.hpp"

#include <gmock/gmock.h>

#include "reports/drift.hpp"
#include "reports/effects.hpp"
#include "reports/figures.hpp"
#include "reports/model_fixture.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(ModelTest, AnEmptyDatabaseIsAnEmptyReport) {
  const Report report = read_report(store_);
  EXPECT_THAT(report.architectures, IsEmpty());
  EXPECT_THAT(new_failures(report), IsEmpty());
}

TEST_F(ModelTest, MeasuredAndPredictedArchitecturesAreSeparate) {
  fill(store_);
  const Report report = read_report(store_);
  ASSERT_THAT(report.architectures, SizeIs(2));
  const Contest& predicted = named(report, "sm_75").contests.at(0);
  EXPECT_EQ(predicted.provenance, "predicted");
  EXPECT_EQ(predicted.ceiling->words(), "board's peak bandwidth");
  EXPECT_EQ(predicted.ceiling->text(), "616 GB/s");
  const Contest& measured = named(report, "sm_90").contests.at(0);
  EXPECT_EQ(measured.title(), "reduce 2^26 float, op=sum, data=uniform");
  EXPECT_EQ(measured.provenance, "measured");
  EXPECT_EQ(measured.ceiling->name, "read");
  EXPECT_EQ(named(report, "sm_90").contests.at(1).ceiling->name, "copy");
  EXPECT_THAT(read_report(store_, "sm_75").architectures, SizeIs(1));
}

TEST_F(ModelTest, ImportedTimesAreNeverShownAsMeasuredOrPredicted) {
  Filler filler = on_h200();
  filler.session("2026-11-20T10:00:00.000Z", 40);
  filler.problem("import:sgemm", "", "64", 4);
  filler.kernel("import:sgemm", "sgemm", tiled_axes, "");
  db::Trial trial = filler.measured(filler.configuration({{"tile_dim", 32}}), 20);
  trial.provenance = "imported";
  trial.verdict = "unchecked";
  store_.add_trial(trial);
  const Report report = read_report(store_);
  const Architecture& architecture = named(report, "sm_90");
  EXPECT_TRUE(architecture.imported());
  EXPECT_FALSE(architecture.measured());
  const Contest& contest = architecture.contests.at(0);
  EXPECT_EQ(contest.provenance, "imported");
  ASSERT_TRUE(contest.best);
  EXPECT_THAT(best_sentence(architecture),
              HasSubstr("0 measured here (0 certified), 0 predicted by the model, 1 only"));
  EXPECT_THAT(contest_sentence(contest), HasSubstr("in another tuner's recording on NVIDIA H200, not checked here"));
  // One slower time measured here takes precedence over the imported ones.
  trial.provenance = "measured";
  trial.verdict = "passed";
  trial.median_us = 30;
  store_.add_trial(trial);
  const Report later = read_report(store_);
  EXPECT_EQ(named(later, "sm_90").contests.at(0).provenance, "measured");
  EXPECT_THAT(best_sentence(named(later, "sm_90")), HasSubstr("1 problem, all measured"));
}

TEST_F(ModelTest, RowsAreTheNewestTrialOfEachConfigurationWithItsLabels) {
  fill(store_, 2);
  const Report report = read_report(store_);
  const Contest& reduce = named(report, "sm_90").contests.at(0);
  ASSERT_THAT(reduce.rows, SizeIs(24));
  const Row& row = reduce.rows.front();
  EXPECT_EQ(row.view->kernel, "grid_stride");
  EXPECT_EQ(row.params.back(), std::pair(std::string("finish"), std::string("atomic")));
  EXPECT_NEAR(*row.trial().median_us, 2 * (63.6 + 2000.0 / 128), 1e-9);
  ASSERT_TRUE(row.access);
  EXPECT_NEAR(*sectors_per_request(row.access), (4 + 8) / 2.0, 1e-9) << "of both launches together";
  EXPECT_NEAR(*sectors_per_request(access_of_launch(row, 0)), 4, 1e-9);
  const Contest& best = named(report, "sm_90").contests.at(1);
  ASSERT_THAT(best.launches, SizeIs(1));
  EXPECT_EQ(best.launches.begin()->second.at(0).entry, "tiled<32, 1>");
}

TEST_F(ModelTest, KernelsAreOrderedFromSlowToFast) {
  fill(store_);
  const Report report = read_report(store_);
  std::vector<std::string> kernels;
  for (const db::Best& best : named(report, "sm_90").contests.at(0).kernel_bests) kernels.push_back(best.winner.kernel);
  EXPECT_THAT(kernels, ElementsAre("sequential", "grid_stride"));
}

TEST_F(ModelTest, NumbersDataAndShapesMakeDifferentProblems) {
  Filler filler = on_h200();
  filler.session("2026-11-20T10:00:00.000Z", 40);
  const auto problem = [&](const char* shape, const char* numbers, const char* data) {
    filler.problem("histogram", "", shape, 4, "float", numbers, data);
    filler.kernel("histogram", "atomic", "[]", "{}");
    store_.add_trial(filler.measured(filler.configuration({{"block_size", 64}}), 10));
  };
  problem("1024x1024x1024", "bins=256", "zipf");
  problem("4096x4096x64", "bins=256", "zipf");
  problem("4096x4096x64", "bins=16", "zipf");
  problem("4096x4096x64", "bins=16", "uniform");
  const Report report = read_report(store_);
  std::vector<std::string> titles;
  for (const Contest& contest : named(report, "sm_90").contests) {
    titles.push_back(contest.title());
    EXPECT_TRUE(contest.best) << contest.title();
  }
  EXPECT_THAT(titles, ElementsAre("histogram 4096x4096x64 float, bins=16, data=uniform",
                                  "histogram 4096x4096x64 float, bins=16, data=zipf",
                                  "histogram 1024x1024x1024 float, bins=256, data=zipf",
                                  "histogram 4096x4096x64 float, bins=256, data=zipf"));
  EXPECT_EQ(named(report, "sm_90").contests.front().name(), "histogram bins=16,data=uniform float");
}

TEST_F(ModelTest, CountsPerLaunchAreSummedAndPrecedeCountsOfAllLaunches) {
  Filler filler = on_h200();
  filler.session("2026-11-20T10:00:00.000Z", 40);
  const db::Id configuration = store_.trial(add(filler, 64, 10)).configuration_id;
  filler.access(configuration, 3, 3, "[]", db::Access::all_launches);
  const auto row = [&](const Report& report) { return named(report, "sm_90").contests.at(0).rows.at(0); };
  {
    const Report old = read_report(store_);
    EXPECT_EQ(sectors_per_request(row(old).access), 3);
    EXPECT_THAT(row(old).launches, IsEmpty());
    EXPECT_FALSE(access_of_launch(row(old), 0));
  }
  filler.access(configuration, 4, 1, R"([{"line": 1}])", 0);
  filler.access(configuration, 8, 2, R"([{"line": 2}])", 1);
  filler.access(configuration, 12, 3, R"([{"line": 3}])", 2);
  const Report report = read_report(store_);
  EXPECT_EQ(sectors_per_request(row(report).access), 8);
  EXPECT_EQ(transactions_per_request(row(report).access), 2);
  EXPECT_EQ(row(report).access->lines, R"([{"line":1},{"line":2},{"line":3}])");
  EXPECT_THAT(row(report).launches, SizeIs(3));
  EXPECT_EQ(sectors_per_request(access_of_launch(row(report), 1)), 8);
  EXPECT_FALSE(access_of_launch(row(report), 3));
}

TEST_F(ModelTest, AnObsoleteCounterexampleIsNoFailure) {
  Filler filler = on_h200();
  filler.run("2026-11-20", 100, 1);
  store_.saw_counterexample(
      {.pattern = "reduce", .kernel = "tree", .repro = "gone", .last_seen = "2026-11-20T02:30:00.000Z"});
  EXPECT_THAT(new_failures(read_report(store_)), SizeIs(1));
  store_.obsolete_counterexample("gone", "the kernel is gone");
  const Report report = read_report(store_);
  EXPECT_THAT(new_failures(report), IsEmpty());
  EXPECT_THAT(nightly_sentence(report),
              HasSubstr("0 counterexamples still fail, 0 fixed, 1 can no longer be replayed."));
}

TEST_F(ModelTest, TimesOfAnotherModeAreNotCompared) {
  Filler filler = on_h200();
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 64, 10);
  filler.problem("reduce", "op=sum", "1048576", 4);
  db::Trial warm = filler.measured(filler.configuration({{"block_size", 128}}), 1);
  warm.mode = "warm L2";
  warm.created_at = "2026-11-19T00:00:00.000Z";
  store_.add_trial(warm);
  const Report report = read_report(store_);
  const std::vector<const Row*> rows = compared_rows(named(report, "sm_90").contests.at(0));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows.front()->trial().median_us, 10);
}

TEST_F(ModelTest, BaselinesAreTheDefaultAndTheBestOfEachIdiom) {
  fill(store_);
  const Report report = read_report(store_);
  const Contest& reduce = named(report, "sm_90").contests.at(0);
  std::vector<std::string> names;
  for (const Rival& rival : rivals(reduce)) names.push_back(rival.name());
  EXPECT_THAT(names, ElementsAre("cub device_reduce", "kokkos parallel_reduce (default)",
                                 "kokkos parallel_reduce (tuned)", "thrust reduce"));
  const std::vector<Rival> found = rivals(reduce);
  EXPECT_EQ(found.at(0).ratio(reduce), 1.04);
  EXPECT_EQ(found.at(2).baseline->knobs, "{.team = 512}");
  EXPECT_FALSE(found.at(2).comparison);
}

TEST_F(ModelTest, ASearchKeepsItsImprovementsAndCountsFinalistsOnce) {
  Filler filler = on_h200();
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 32, 10);
  add(filler, 64, 12);
  add(filler, 128, 7);
  add(filler, 128, 6.9);
  add(filler, 256, 0, "failed");
  const Report report = read_report(store_);
  const std::vector<Search> found = searches(named(report, "sm_90").contests.at(0));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].evaluations, 4);
  ASSERT_THAT(found[0].steps, SizeIs(2));
  EXPECT_EQ(found[0].steps[1].evaluations, 3);
  EXPECT_EQ(found[0].steps[1].best_us, 7);
}

TEST_F(ModelTest, TheEffectOfAnAxisIsTheCostOfItsWorstValue) {
  fill(store_, 1);
  const Report report = read_report(store_);
  const Contest& transpose = named(report, "sm_90").contests.at(1);
  const std::vector<AxisEffect> found = effects(axes(transpose, "tiled"));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].axis, "bank_pad");
  EXPECT_EQ(found[0].best_value, "1");
  EXPECT_NEAR(found[0].factor, 190 / 129.5, 1e-9);
  EXPECT_NEAR(found[1].factor, 1.2, 1e-9);
}

TEST(RankCorrelation, IsOneForEqualOrdersAndNothingForConstants) {
  EXPECT_NEAR(*rank_correlation({1, 2, 3, 4, 5}, {10, 20, 30, 40, 500}), 1, 1e-12);
  EXPECT_NEAR(*rank_correlation({1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}), -1, 1e-12);
  EXPECT_FALSE(rank_correlation({1, 1, 1, 1, 1}, {1, 2, 3, 4, 5}));
  EXPECT_FALSE(rank_correlation({1, 2}, {1, 2}));
}

TEST_F(ModelTest, DriftComparesTheNewestSessionWithTheOneBefore) {
  Filler filler = on_h200();
  filler.session("2026-11-18T10:00:00.000Z", 40);
  add(filler, 64, 5);
  filler.session("2026-11-19T10:00:00.000Z", 40);
  add(filler, 64, 10);
  add(filler, 128, 11);
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 64, 10.6);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].change(), 0.06, 1e-9);
  EXPECT_TRUE(found[0].comparable());
}

TEST_F(ModelTest, ASessionThatDidNotTryTheEarlierBestAgainIsNotCompared) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  add(filler, 64, 10);
  add(filler, 128, 11);
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 256, 20);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].comparable());
  EXPECT_THAT(drift_sentence(found, {}), HasSubstr("no change can be told"));
}

TEST_F(ModelTest, ABestThatIsNewIsNoDrift) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  add(filler, 64, 10);
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 64, 10.1);
  add(filler, 256, 0.1);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].apart, "the new best was not tried before");
}

TEST_F(ModelTest, TheCertifiedTrialRepresentsItsSession) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  add(filler, 64, 9.9);  // samples of a search: few
  filler.certify(add(filler, 64, 10));
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 64, 10);
  const Report report = read_report(store_);
  EXPECT_NEAR(drifts(named(report, "sm_90")).at(0).change(), 0, 1e-9);
}

TEST_F(ModelTest, PredictionsDoNotDrift) {
  Filler filler = on_h200();
  for (const char* day : {"2026-11-19T10:00:00.000Z", "2026-11-20T10:00:00.000Z"}) {
    filler.session(day, 40);
    fill_reduce(filler, day[9] == '9' ? 1 : 2, false);
  }
  EXPECT_THAT(drifts(named(read_report(store_), "sm_90")), IsEmpty());
}

TEST_F(ModelTest, SurroundingsListTheDifferences) {
  fill(store_);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  std::vector<std::string> names;
  for (const Difference& difference : surroundings(report, *found.at(0).before, *found.at(0).after)) {
    if (difference.differs) names.push_back(difference.name);
  }
  EXPECT_THAT(names, ElementsAre("driver", "temperature"));
}

TEST_F(ModelTest, AVerdictIsNewWhereTheTrialBeforeWasRight) {
  Filler filler = on_h200();
  filler.session("2026-11-19T10:00:00.000Z", 40);
  add(filler, 32, 10);
  add(filler, 64, 10, "failed");
  add(filler, 128, 10);
  add(filler, 512, 10);
  filler.session("2026-11-20T10:00:00.000Z", 40);
  add(filler, 32, 10, "crashed");
  add(filler, 64, 10, "failed");
  add(filler, 128, 10, "not compiled");
  add(filler, 256, 10, "not launchable");  // never launched before: no new failure
  add(filler, 512, 10, "mistrusted");
  add(filler, 1024, 10, "mistrusted");  // had this verdict before
  const std::vector<NewFailure> found = new_failures(read_report(store_));
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(
      found[0].what,
      HasSubstr("{.block_size = 32} on reduce 2^20 float, op=sum, data=uniform (NVIDIA H200, measured): crashed"));
  EXPECT_THAT(found[1].what, HasSubstr("not compiled"));
  EXPECT_THAT(found[2].what, HasSubstr("{.block_size = 512}"));
}

TEST_F(ModelTest, ACounterexampleIsNewInTheNewestRunOfItsKind) {
  Filler filler = on_h200();
  filler.run("2026-11-19", 100, 1);
  filler.run("2026-11-20", 100, 1);
  const auto see = [&](const char* repro, const char* when) {
    store_.saw_counterexample({.pattern = "reduce", .kernel = "tree", .repro = repro, .last_seen = when});
  };
  see("old", "2026-11-19T02:30:00.000Z");
  see("new", "2026-11-20T02:30:00.000Z");
  see("fixed", "2026-11-20T02:31:00.000Z");
  store_.fixed_counterexample("fixed");
  const std::vector<NewFailure> found = new_failures(read_report(store_));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].repro, "conform --repro 'new'");
  store_.fixed_counterexample("new");
  store_.saw_counterexample({.pattern = "job:sum",
                             .kernel = "sum",
                             .repro = "kernel=job:sum/sum",
                             .last_seen = "2026-11-20T02:30:00.000Z",
                             .file = "mine/sums of rows.json"});
  EXPECT_EQ(new_failures(read_report(store_)).at(0).repro,
            "conform 'mine/sums of rows.json' --repro 'kernel=job:sum/sum'");
}

}  // namespace
}  // namespace warpwright::reports
