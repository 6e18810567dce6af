// Tests of reading a database, of the numbers computed from it, and of drift and new failures.
#include "reports/model.hpp"

#include <gmock/gmock.h>

#include "reports/drift.hpp"
#include "reports/effects.hpp"
#include "reports/library_times.hpp"
#include "reports/model_fixture.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
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
  const ProblemResults& predicted = named(report, "sm_75").problems.at(0);
  EXPECT_EQ(predicted.provenance, "predicted");
  EXPECT_EQ(predicted.ceiling->words(), "board's peak bandwidth");
  EXPECT_EQ(predicted.ceiling->text(), "616 GB/s");
  const ProblemResults& measured = named(report, "sm_90").problems.at(0);
  EXPECT_EQ(measured.title(), "reduce 2^26 float, op=sum, data=uniform");
  EXPECT_EQ(measured.provenance, "measured");
  EXPECT_EQ(measured.ceiling->name, "read");
  EXPECT_EQ(named(report, "sm_90").problems.at(1).ceiling->name, "copy");
  EXPECT_THAT(read_report(store_, "sm_75").architectures, SizeIs(1));
}

TEST_F(ModelTest, ImportedTimesAreNeverShownAsMeasuredOrPredicted) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("import:sgemm", "", "64", 4);
  rows.kernel("import:sgemm", "sgemm", tiled_axes, "");
  db::Trial trial = rows.measured(rows.configuration({{"tile_dim", 32}}), 20);
  trial.provenance = "imported";
  trial.verdict = "unchecked";
  store_.add_trial(trial);
  const Report report = read_report(store_);
  const Architecture& architecture = named(report, "sm_90");
  EXPECT_FALSE(architecture.measured());
  const ProblemResults& results = architecture.problems.at(0);
  EXPECT_EQ(results.provenance, "imported");
  ASSERT_TRUE(results.best);
  EXPECT_EQ(summary_of(architecture, results, {}).certainty, "imported");
  // One slower time measured here takes precedence over the imported ones.
  trial.provenance = "measured";
  trial.verdict = "passed";
  trial.median_us = 30;
  store_.add_trial(trial);
  const Report later = read_report(store_);
  EXPECT_EQ(named(later, "sm_90").problems.at(0).provenance, "measured");
}

TEST_F(ModelTest, RowsAreTheNewestTrialOfEachConfigurationWithItsParams) {
  fill(store_, 2);
  const Report report = read_report(store_);
  const ProblemResults& reduce = named(report, "sm_90").problems.at(0);
  ASSERT_THAT(reduce.rows, SizeIs(24));
  const Row& row = reduce.rows.front();
  EXPECT_EQ(row.view->kernel, "grid_stride");
  EXPECT_EQ(row.params.back(), std::pair(std::string("finish"), std::string("0")));
  EXPECT_NEAR(*row.trial().median_us, 2 * (63.6 + 2000.0 / 128), 1e-9);
  EXPECT_NEAR(*row.traced_bytes, 32.0 * 1100 * (4 + 8) * (4096 * 128) / 1024, 1e-3) << "of both launches together";
}

TEST_F(ModelTest, ParamsHaveTheWordsOfTheirCppText) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("reduce", "op=sum", "1048576", 4);
  const db::Id kernel = rows.kernel("reduce", "sequential", "[]", "{}");
  const char* text = "{.staged = true, .finish = warpwright::reduce::finish::atomic}";
  const db::Configuration configuration{
      .kernel_id = kernel, .params = text, .params_json = R"({"finish": 0, "staged": 1})"};
  store_.add_trial(rows.measured(store_.upsert(configuration), 10));
  const Report report = read_report(store_);
  EXPECT_THAT(named(report, "sm_90").problems.at(0).rows.at(0).params,
              ElementsAre(Pair("staged", "true"), Pair("finish", "atomic")));
}

TEST_F(ModelTest, KernelsAreRankedFromTheBestToTheSlowest) {
  fill(store_);
  const Report report = read_report(store_);
  std::vector<std::string> kernels;
  for (const db::Best& best : named(report, "sm_90").problems.at(0).kernel_bests) kernels.push_back(best.winner.kernel);
  EXPECT_THAT(kernels, ElementsAre("grid_stride", "sequential"));
  EXPECT_EQ(named(report, "sm_90").problems.at(0).rank_of("sequential"), 2);
  EXPECT_EQ(named(report, "sm_90").problems.at(0).rank_of("none"), 0);
}

TEST_F(ModelTest, TheModeIsThatOfTheBestWhateverTheNewest) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("reduce", "op=sum", "1048576", 4);
  rows.kernel("reduce", "sequential", "[]", "{}");
  for (const auto& [mode, us] :
       {std::pair{"clean cold L2, graph", 5.0}, {"clean cold L2, between host synchronisations", 9.0}}) {
    db::Trial trial = rows.measured(rows.configuration({{"block_size", static_cast<int>(us)}}), us);
    trial.mode = mode;
    const db::Id id = store_.add_trial(trial);
    if (us < 9)
      store_.set_ranking(trial.problem_id, *trial.board_id, "measured",
                         std::vector<db::Ranked>{{.trial_id = id, .rank = 1}});
  }
  const Report report = read_report(store_);
  const ProblemResults& results = named(report, "sm_90").problems.at(0);
  EXPECT_EQ(results.best->winner.time_us(), 5);
  EXPECT_EQ(results.rank_of("sequential"), 1);
  EXPECT_THAT(compared_rows(results), SizeIs(1));
}

TEST_F(ModelTest, NumbersDataAndShapesMakeDifferentProblems) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  const auto problem = [&](const char* shape, const char* numbers, const char* data) {
    rows.problem("histogram", "", shape, 4, "float", numbers, data);
    rows.kernel("histogram", "atomic", "[]", "{}");
    store_.add_trial(rows.measured(rows.configuration({{"block_size", 64}}), 10));
  };
  problem("1024x1024x1024", "bins=256", "zipf");
  problem("4096x4096x64", "bins=256", "zipf");
  problem("4096x4096x64", "bins=16", "zipf");
  problem("4096x4096x64", "bins=16", "uniform");
  const Report report = read_report(store_);
  std::vector<std::string> titles;
  for (const ProblemResults& results : named(report, "sm_90").problems) {
    titles.push_back(results.title());
    EXPECT_TRUE(results.best) << results.title();
  }
  EXPECT_THAT(titles, ElementsAre("histogram 4096x4096x64 float, bins=16, data=uniform",
                                  "histogram 4096x4096x64 float, bins=16, data=zipf",
                                  "histogram 1024x1024x1024 float, bins=256, data=zipf",
                                  "histogram 4096x4096x64 float, bins=256, data=zipf"));
  EXPECT_EQ(named(report, "sm_90").problems.front().name(), "histogram bins=16,data=uniform float");
}

TEST_F(ModelTest, TracedBytesAreScaledByThreadsAndThoseOfLaunchesPrecedeThoseOfAllTogether) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.problem("reduce", "op=sum", "1024", 0);
  rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
  const db::Id configuration = rows.configuration({{"block_size", 64}});
  rows.access(configuration, 3, 3, db::Access::all_launches);
  rows.problem("reduce", "op=sum", "4096", 0);
  db::Trial trial = rows.measured(configuration, 10);
  trial.grid_blocks = 64;
  trial.block_threads = 64;
  store_.add_trial(trial);
  const auto traced = [&] {
    const Report report = read_report(store_);
    return *named(report, "sm_90").problems.at(0).rows.at(0).traced_bytes / 32 / 1100;
  };
  EXPECT_NEAR(traced(), 4 * 3, 1e-9) << "4,096 threads instead of 1,024";
  rows.access(configuration, 4, 1, 0);
  rows.access(configuration, 8, 2, 1);
  EXPECT_NEAR(traced(), 4 * 12, 1e-9);
}

TEST_F(ModelTest, AnObsoleteCounterexampleIsNoFailure) {
  Rows rows = on_h200();
  rows.run("2026-11-20", 100, 1);
  store_.saw_counterexample(
      {.pattern = "reduce", .kernel = "tree", .repro = "gone", .last_seen = "2026-11-20T02:30:00.000Z"});
  EXPECT_THAT(new_failures(read_report(store_)), SizeIs(1));
  store_.obsolete_counterexample("gone", "the kernel is gone");
  const Report report = read_report(store_);
  EXPECT_THAT(new_failures(report), IsEmpty());
}

TEST_F(ModelTest, TimesOfAnotherModeAreNotCompared) {
  Rows rows = on_h200();
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 10);
  rows.problem("reduce", "op=sum", "1048576", 4);
  db::Trial warm = rows.measured(rows.configuration({{"block_size", 128}}), 1);
  warm.mode = "warm L2";
  warm.created_at = "2026-11-19T00:00:00.000Z";
  store_.add_trial(warm);
  const Report report = read_report(store_);
  const std::vector<const Row*> compared = compared_rows(named(report, "sm_90").problems.at(0));
  ASSERT_THAT(compared, SizeIs(1));
  EXPECT_EQ(compared.front()->trial().median_us, 10);
}

TEST_F(ModelTest, LibrariesHaveTheirDefaultAndTheBestOfEachIdiom) {
  fill(store_);
  const Report report = read_report(store_);
  const ProblemResults& reduce = named(report, "sm_90").problems.at(0);
  std::vector<std::string> names;
  for (const LibraryTime& time : library_times(reduce)) names.push_back(time.name());
  EXPECT_THAT(names, ElementsAre("Thrust 13.0, reduce", "CUB 13.0, device_reduce",
                                 "Kokkos 13.0, parallel_reduce, tuned", "Kokkos 13.0, parallel_reduce, default"));
  const FastestLibraries fastest = fastest_libraries(reduce);
  EXPECT_EQ(fastest.vendor->library(), "Thrust");
  EXPECT_NEAR(*fastest.vendor->ratio, 71 / *reduce.best->winner.time_us(), 1e-9) << "of the medians";
  EXPECT_EQ(fastest.kokkos_default->ratio, 1.66) << "of paired rounds";
  EXPECT_EQ(fastest.kokkos_tuned->baseline->knobs, "{.team = 512}");
}

TEST_F(ModelTest, ALibraryThatIsNotTimedIsTheLastAndNeverTheFastest) {
  fill(store_);
  const Report report = read_report(store_);
  const ProblemResults& transpose = named(report, "sm_90").problems.at(1);
  EXPECT_EQ(library_times(transpose).back().baseline->verdict, "not compiled");
  EXPECT_FALSE(fastest_libraries(transpose).kokkos_default);
}

TEST_F(ModelTest, AParamExplainsTheVarianceOfTheLogarithmOfTheTime) {
  fill(store_, 1);
  const Report report = read_report(store_);
  const std::vector<KernelSpace> spaces = kernel_spaces(named(report, "sm_90").problems.at(1));
  ASSERT_THAT(spaces, SizeIs(1));
  ASSERT_THAT(spaces[0].axes, SizeIs(2));
  EXPECT_EQ(spaces[0].axes[1].name, "bank_pad");
  EXPECT_THAT(spaces[0].axes[0].values, ElementsAre("16", "32"));
  EXPECT_EQ(spaces[0].lines[0].us, 129.5) << "the fastest first";
  EXPECT_THAT(spaces[0].lines[0].values, ElementsAre(1, 1));
  const double tile = std::log(1.2);
  const double pad = std::log(190 / 129.5);
  const std::vector<double> shares = explained(spaces[0]);
  EXPECT_NEAR(shares[0], tile * tile / (tile * tile + pad * pad), 1e-9);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-9) << "the two factors do not interact";
}

TEST_F(ModelTest, TheTimesOfSessionsAreOldestFirstAndSkipSessionsWithoutATime) {
  Rows rows = on_h200();
  for (const char* day : {"2026-11-20T10:00:00.000Z", "2026-11-18T10:00:00.000Z", "2026-11-19T10:00:00.000Z"}) {
    rows.session(day, 40);
    if (day[9] != '9') add(rows, 64, day[9] == '8' ? 5 : 6);
  }
  const Report report = read_report(store_);
  const Architecture& h200 = named(report, "sm_90");
  std::vector<double> times;
  for (const db::TrialView* best : bests_of_sessions(h200, h200.problems.at(0))) times.push_back(*best->time_us());
  EXPECT_THAT(times, ElementsAre(5, 6));
}

TEST_F(ModelTest, DriftComparesTheNewestSessionWithTheOneBefore) {
  Rows rows = on_h200();
  rows.session("2026-11-18T10:00:00.000Z", 40);
  add(rows, 64, 5);
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 64, 10);
  add(rows, 128, 11);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 10.6);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].change(), 0.06, 1e-9);
  EXPECT_TRUE(found[0].comparable());
}

TEST_F(ModelTest, ASessionThatDidNotMeasureTheBestAgainSaysNothingOfDrift) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 64, 10);
  add(rows, 128, 11);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 256, 20);
  EXPECT_THAT(drifts(named(read_report(store_), "sm_90")), IsEmpty());
}

TEST_F(ModelTest, ABestThatIsSlowerNowIsDriftAlsoIfAnotherOneIsBestNow) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.certify(add(rows, 64, 10));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 13);
  rows.certify(add(rows, 256, 12));
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].change(), 0.2, 1e-9);
  EXPECT_TRUE(found[0].comparable());
}

TEST_F(ModelTest, ABestThatIsWrongNowWasTheBestBefore) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  rows.certify(add(rows, 64, 10));
  add(rows, 256, 12);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 10, "failed");
  rows.certify(add(rows, 256, 12));
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].change(), 0.2, 1e-9);
}

TEST_F(ModelTest, ABestThatIsNewIsNoDrift) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 64, 10);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 64, 10.1);
  add(rows, 256, 0.1);
  const Report report = read_report(store_);
  const std::vector<Drift> found = drifts(named(report, "sm_90"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].apart, new_best);
}

TEST_F(ModelTest, TheCertifiedTrialRepresentsItsSession) {
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 64, 9.9);  // samples of a search: few
  rows.certify(add(rows, 64, 10));
  rows.session("2026-11-20T10:00:00.000Z", 40);
  rows.certify(add(rows, 64, 10));
  const Report report = read_report(store_);
  const Architecture& h200 = named(report, "sm_90");
  EXPECT_EQ(bests_of_sessions(h200, h200.problems.at(0)).at(0)->time_us(), 10);
  EXPECT_NEAR(drifts(h200).at(0).change(), 0, 1e-9);
}

TEST_F(ModelTest, PredictionsDoNotDrift) {
  Rows rows = on_h200();
  for (const char* day : {"2026-11-19T10:00:00.000Z", "2026-11-20T10:00:00.000Z"}) {
    rows.session(day, 40);
    fill_reduce(rows, day[9] == '9' ? 1 : 2, false);
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
  Rows rows = on_h200();
  rows.session("2026-11-19T10:00:00.000Z", 40);
  add(rows, 32, 10);
  add(rows, 64, 10, "failed");
  add(rows, 128, 10);
  add(rows, 512, 10);
  rows.session("2026-11-20T10:00:00.000Z", 40);
  add(rows, 32, 10, "crashed");
  add(rows, 64, 10, "failed");
  add(rows, 128, 10, "not compiled");
  add(rows, 256, 10, "not launchable");  // never launched before: no new failure
  add(rows, 512, 10, "mistrusted");
  add(rows, 1024, 10, "mistrusted");  // had this verdict before
  const std::vector<NewFailure> found = new_failures(read_report(store_));
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(
      found[0].what,
      HasSubstr("{.block_size = 32} on reduce 2^20 float, op=sum, data=uniform (NVIDIA H200, measured): crashed"));
  EXPECT_THAT(found[1].what, HasSubstr("not compiled"));
  EXPECT_THAT(found[2].what, HasSubstr("{.block_size = 512}"));
}

TEST_F(ModelTest, ACounterexampleIsNewInTheNewestRunOfItsKind) {
  Rows rows = on_h200();
  rows.run("2026-11-19", 100, 1);
  rows.run("2026-11-20", 100, 1);
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
