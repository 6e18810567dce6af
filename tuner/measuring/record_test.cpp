// Tests of measuring sessions that begin with results from the database.
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "db/query/query.hpp"
#include "tuner/measuring/measuring_fixture.hpp"
#include "tuner/records/known_best.hpp"

namespace warpwright::tuner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class Record : public Measuring {
 protected:
  db::TrialView best() const { return db::best(store_, {.arch = "sm_90"}).at(0).winner; }

  /// The known best configurations of a new session before it measures.
  std::vector<KnownBest> known(const Device& device) {
    Recorder recorder(store_, toys_, device, "device", db::Environment{}, db::Session{.command = "test"});
    return known_best(recorder, task_.problem, "measured");
  }
  std::vector<KnownBest> known() { return known(gpu_.device()); }

  /// Stores the model's time for a configuration on that board.
  void predict(const Device& device, int k, double us) { predict(device, params(k), us); }
  void predict(const Device& device, const std::string& text, double us) {
    Recorder recorder(store_, toys_, device, "device", db::Environment{}, db::Session{.command = "test"});
    const db::Id kernel = store_.upsert(db::Kernel{.pattern = "toy", .kernel = "row"});
    store_.add_trial({.configuration_id = store_.upsert(db::Configuration{.kernel_id = kernel, .params = text}),
                      .problem_id = recorder.problem_id(task_.problem),
                      .board_id = recorder.board_id(),
                      .target = "sm_90",
                      .provenance = "predicted",
                      .verdict = "passed",
                      .predicted_us = us});
  }
};

TEST_F(Record, ANarrowRunMeasuresTheStoredBestBesideItsOwnAndDoesNotReplaceItByASlowerOne) {
  script(5).us = 200;
  measure();
  gpu_.verified.clear();
  gpu_.rounds_of.clear();
  request_.params = ParamFilter({"k=2"});
  const TaskResult done = measure();
  EXPECT_THAT(gpu_.verified, ElementsAre(params(5)));
  EXPECT_EQ(done.outcome.resumed, 1) << "nothing else outside is looked for";
  EXPECT_EQ(done.searched, "") << "all that was asked for";
  EXPECT_EQ(best().params, params(5));
  EXPECT_EQ(best().trial.session_id, 2) << "its newest time";

  request_.remeasure = true;
  script(2).us = 180;
  measure();
  EXPECT_THAT(gpu_.rounds_of.back(), ElementsAre(params(2), params(5)));
  EXPECT_EQ(best().params, params(2)) << "a faster one does";
}

TEST_F(Record, ARunOfAnotherKernelMeasuresTheStoredBestToo) {
  script(5).us = 200;
  measure();
  Kernel column = row_kernel();
  column.name = "column";
  const Catalogue both{{toy_pattern()}, {row_kernel(), column}, {{"toy/row.cuh", ""}}};
  gpu_.verified.clear();
  std::vector<KnownBest> finalists = known();
  ASSERT_THAT(finalists, SizeIs(1));
  const std::vector<const Kernel*> other{&both.kernels().back()};
  Search search(other, task_.problem, gpu_.device(), request_, finalists);
  const std::vector<Choice> asked = search.ask(1);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(search.kernel(asked[0]).name, "row");
  EXPECT_EQ(search.params(asked[0]), finalists[0].params);
  EXPECT_EQ(search.size(), 13U);
  search.tell(asked[0], 200);
  for (const Choice one : search.ask(100)) EXPECT_EQ(search.kernel(one).name, "column");
}

TEST_F(Record, TheStoredFinalistsAreMeasuredFirstAndTheStoredBestStaysAmongThoseThatTieWithIt) {
  script(8).us = 200;
  script(9).us = 203;
  measure();
  gpu_.verified.clear();
  script(4).us = 200;
  request_.remeasure = true;
  measure();
  EXPECT_THAT(std::vector(gpu_.verified.begin(), gpu_.verified.begin() + 2), ElementsAre(params(8), params(9)));
  EXPECT_THAT(ranking(), ElementsAre(params(8), params(4), params(9)));
  EXPECT_EQ(best().params, params(8));
  EXPECT_EQ(best().short_certainty(), "certified");
}

TEST_F(Record, ALuckyTimeEndsWhenItsConfigurationIsMeasuredAgain) {
  script(5).us = 200;
  script(6).us = 250;
  measure();
  EXPECT_EQ(best().params, params(5));
  script(5).us = 260;
  measure();
  EXPECT_EQ(best().params, params(6));
  EXPECT_NEAR(*best().time_us(), 250, 2);
}

TEST_F(Record, TheStoredBestIsInTheFinalRoundsHoweverSlowItIsNow) {
  script(5).us = 200;
  measure();
  script(5).us = 600;
  gpu_.rounds_of.clear();
  measure();
  EXPECT_THAT(gpu_.rounds_of.at(0), Contains(params(5)));
  EXPECT_NE(best().params, params(5));
}

TEST_F(Record, ReusedTimesAreCorrectedByTheDriftOfTheFinalists) {
  script(5).us = 200;
  script(6).us = 204;
  script(7).us = 212;
  measure();
  for (const int k : {5, 6, 7}) script(k).us *= 1.04;
  gpu_.rounds_of.clear();
  measure();
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre(params(5), params(6))));
}

TEST_F(Record, AStoredBestThatIsWrongNowIsNoLongerBest) {
  script(5).us = 200;
  script(6).us = 250;
  measure();
  script(5).verdict = Verdict::failed;
  measure();
  EXPECT_EQ(best().params, params(6));
  EXPECT_THAT(ranking(), Not(Contains(params(5))));
}

TEST_F(Record, BestConfigurationsElsewhereAreKnownTheMostSimilarFirst) {
  const auto best_at = [&](int k, const char* data, std::int64_t size) {
    gpu_.scripts.clear();
    script(k).us = 200;
    task_.problem.data = data;
    task_.problem.shape = {size};
    request_.remeasure = true;
    measure();
  };
  EXPECT_THAT(known(), IsEmpty());
  best_at(3, "uniform", 1 << 20);
  best_at(4, "uniform", 1 << 25);
  best_at(5, "zipf", 1 << 26);
  const auto values = [](const std::vector<KnownBest>& all) {
    std::vector<std::int64_t> found;
    for (const KnownBest& one : all) found.push_back(one.params.at(0));
    return found;
  };
  task_.problem.data = "uniform";
  EXPECT_THAT(values(known()), ElementsAre(5, 4, 3));
  EXPECT_FALSE(known()[0].is_finalist);
  best_at(4, "uniform", 1 << 26);
  EXPECT_EQ(values(known()).front(), 4);
  EXPECT_TRUE(known()[0].is_finalist);
  EXPECT_TRUE(known()[0].is_best);
  const std::vector<KnownBest> on_another = known(find_board("H100 PCIe").device);
  EXPECT_EQ(values(on_another).front(), 4) << "of the same problem on another board";
  EXPECT_FALSE(on_another[0].is_finalist);
}

TEST_F(Record, APredictionForThisBoardIsKnownBesideTimesOfAnotherBoard) {
  script(4).us = 200;
  measure();
  const Device here = find_board("H100 PCIe").device;
  predict(here, 9, 210);
  std::vector<std::int64_t> values;
  for (const KnownBest& one : known(here)) values.push_back(one.params.at(0));
  EXPECT_THAT(values, UnorderedElementsAre(4, 9));
}

TEST_F(Record, ARowWithFormerParamsIsKnownAsTheConfigurationOfToday) {
  const Device here = find_board("H100 PCIe").device;
  predict(here, "{.count = 7, .gone = 2}", 210);
  const std::vector<KnownBest> found = known(here);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].params, Point{7});
}

TEST_F(Record, ARunAtTenTimesTheBestIsEndedOnceAndIsNoFailure) {
  script(1).us = 200;
  script(2).us = 2100;
  const TaskResult done = measure();
  EXPECT_EQ(newest(2).trial.verdict, "too slow");
  EXPECT_EQ(done.outcome.faults.wrong(), 0);
  EXPECT_EQ(done.outcome.faults.text(), "1 too slow");
  EXPECT_EQ(std::ranges::count(gpu_.verified, params(2)), 1);
  gpu_.verified.clear();
  measure();
  EXPECT_THAT(gpu_.verified, Not(Contains(params(2)))) << "the database knows it";
}

TEST_F(Record, StoredTimesLimitSlowRunsUntilSomethingIsMeasured) {
  script(5).us = 200;
  measure();
  request_.remeasure = true;
  script(5).verdict = Verdict::failed;
  script(1).us = 2500;
  script(2).us = 1900;
  script(3).us = 2500;
  measure();
  EXPECT_EQ(newest(1).trial.verdict, "too slow");
  EXPECT_EQ(newest(2).trial.verdict, "passed");
  EXPECT_EQ(newest(3).trial.verdict, "passed") << "the best of today takes 1900 us";
}

TEST_F(Record, APredictionSaysWhatIsTooSlowUntilSomethingIsMeasured) {
  predict(gpu_.device(), 9, 210);
  script(1).us = 2500;
  script(2).us = 2500;
  script(9).us = 2200;
  measure();
  EXPECT_EQ(newest(1).trial.verdict, "too slow");
  EXPECT_EQ(newest(9).trial.verdict, "passed") << "the prediction may be wrong";
  EXPECT_EQ(newest(2).trial.verdict, "passed") << "then the best of today counts";
}

TEST_F(Record, AGpuThatIsTenTimesSlowerThanItWasIsMeasuredAllTheSame) {
  script(5).us = 200;
  measure();
  for (int k = 1; k <= 12; ++k) script(k).us = 2500;
  request_.remeasure = true;
  measure();
  for (const int k : {1, 5, 12}) EXPECT_EQ(newest(k).trial.verdict, "passed") << k;
}

TEST_F(Record, WhatHasALargerErrorThanIsAllowedIsMeasuredAndNeverBest) {
  script(5).us = 200;
  script(5).ulp = 40;
  measure();
  EXPECT_EQ(best().accuracy(), "5.3 digits, 40 ulp");
  request_.max_error = 8;
  const TaskResult done = measure();
  EXPECT_EQ(done.outcome.faults.wrong(), 0);
  EXPECT_THAT(gpu_.rounds_of.back(), Not(Contains(params(5))));
  const std::vector<db::Best> accurate = db::best(store_, {.arch = "sm_90", .max_error = 8});
  ASSERT_EQ(accurate.size(), 1U);
  EXPECT_EQ(accurate[0].winner.params, params(1));
  EXPECT_EQ(accurate[0].winner.trial.error_ulp, 0.5);
  EXPECT_EQ(best().params, params(5)) << "without the restriction";
}

TEST_F(Record, TheEnergyOfFinalistsIsStoredAndTheTimeInAGraphOfThoseUnder10Us) {
  task_.problem.shape = {1 << 12};
  gpu_.usual.us = 300;
  for (const int k : {3, 5}) script(k).us = 8;
  script(5).joules = 0.002;
  measure();
  EXPECT_THAT(gpu_.metered, UnorderedElementsAre(params(3), params(5)));
  EXPECT_THAT(gpu_.replayed, UnorderedElementsAre(params(3), params(5)));
  EXPECT_EQ(newest(5).trial.joules, 0.002);
  EXPECT_EQ(newest(5).trial.replay_us, 4);
  EXPECT_EQ(newest(3).trial.joules, std::nullopt);
  EXPECT_EQ(newest(1).trial.replay_us, std::nullopt);
}

TEST_F(Record, ForTheLeastEnergyEachConfigurationIsMeteredOnceAndTheFastestStaysTheBestByTime) {
  gpu_.usual.joules = 0.01;
  script(5).us = 200;
  script(9).us = 290;
  script(9).joules = 0.004;
  measure();
  EXPECT_THAT(gpu_.metered, ElementsAre(params(5)));
  const auto by = [&](Objective objective) {
    return db::best(store_, {.arch = "sm_90", .objective = objective}).at(0).winner.params;
  };
  EXPECT_EQ(by(Objective::energy), params(5)) << "nothing else is known";
  request_.objective = Objective::energy;
  measure();
  EXPECT_THAT(gpu_.metered, SizeIs(1 + 12));
  EXPECT_EQ(by(Objective::energy), params(9));
  EXPECT_THAT(db::best(store_, {.arch = "sm_90", .objective = Objective::energy}).at(0).winner.certificates, SizeIs(1));
  EXPECT_THAT(ranking(), ElementsAre(params(5), params(9))) << "by time";
  EXPECT_EQ(by(Objective::edp), params(9));
  EXPECT_EQ(by(Objective::time), params(5));
  gpu_.metered.clear();
  measure();
  EXPECT_THAT(gpu_.metered, ElementsAre(params(5), params(9))) << "finalists are measured again, the others are known";
}

TEST_F(Record, ForOneSettingForAllSizesWhatIsFastAtOneIsMeasuredAtTheOthersToo) {
  const Shape large = task_.problem.shape, small = {1 << 20};
  gpu_.on_select = [&](const std::string& problem) {
    const bool is_large = problem.find(std::to_string(large.front())) != std::string::npos;
    script(2).us = is_large ? 300 : 200;
    script(7).us = is_large ? 200 : 210;
  };
  task_.problem.shape = small;
  request_.params = ParamFilter({"k=1|2"});
  measure();
  request_.params = {};
  task_.problem.shape = large;
  measure();
  gpu_.verified.clear();
  task_.problem.shape = small;
  task_.is_for_all_sizes = true;
  measure();
  EXPECT_THAT(gpu_.verified, ElementsAre(params(2), params(7))) << "the stored best, and that of the other size";
  const std::vector<db::Best> answers = db::best(store_, {.arch = "sm_90", .robust = db::Robust::geomean});
  ASSERT_EQ(answers.size(), 2U);
  ASSERT_TRUE(answers[0].all_sizes);
  EXPECT_EQ(answers[0].winner.params, params(2));
  EXPECT_EQ(answers[0].all_sizes->setting.params, params(7));
  EXPECT_NEAR(answers[0].all_sizes->loss, 0.05, 1e-3);
}

TEST_F(Record, NothingIsCertifiedWhileAKernelWasNotMeasured) {
  Recorder recorder(store_, toys_, gpu_.device(), "device", db::Environment{}, db::Session{.command = "test"});
  GpuWatch watch([] { return gpu::Sensors{}; }, [](const std::string&) {});
  TrialWriter writer(store_mutex_, recorder);
  GpuThread thread(gpu_, writer, watch);
  const std::vector<std::string> no_gpus;
  const TaskContext context{.catalogue = toys_,
                            .request = request_,
                            .simulator = gpu_,
                            .uuids = no_gpus,
                            .stop = stop_,
                            .failed = failed_,
                            .rest = [](GpuThread&) { return false; }};
  MeasuringSetup setup(context, task_);
  const Kernel& kernel = toys_.kernels().front();
  MeasuredConfiguration one{.configuration = prepare(kernel, {5}, task_.problem, gpu_.device()), .writer = &writer};
  const std::vector<Program> programs{conformance::program_for(toys_, kernel, {5}, task_.problem, gpu_.device())};
  complete(one.configuration, gpu_.compile(programs, worker::Urgency::usual).front().get(), gpu_.device());
  db::Trial trial = writer.new_trial(one.configuration, task_.problem);
  trial.verdict = "passed";
  one.trial_id = writer.store(one.configuration, trial, {});
  const auto result = RankFinalists{.finalists = {one}, .certifies = false}.run(thread, setup);
  ASSERT_TRUE(result.winner);
  EXPECT_THAT(gpu_.tested, IsEmpty());
  EXPECT_EQ(best().short_certainty(), "not certified");
}

TEST_F(Record, ConfigurationsNoLongerInTheCatalogueAreNotKnown) {
  const auto keep = [&](const std::string& kernel, const std::string& text, double us) {
    Recorder recorder(store_, toys_, gpu_.device(), "device", db::Environment{}, db::Session{.command = "test"});
    db::Trial trial{.configuration_id = store_.upsert(db::Configuration{
                        .kernel_id = store_.upsert(db::Kernel{.pattern = "toy", .kernel = kernel}), .params = text}),
                    .problem_id = recorder.problem_id(task_.problem),
                    .board_id = recorder.board_id(),
                    .target = "sm_90",
                    .provenance = "measured",
                    .verdict = "passed",
                    .median_us = us};
    store_.add_trial(trial);
  };
  keep("row", "{.unheard_of = 1}", 100);
  EXPECT_THAT(known(), IsEmpty());
  keep("gone", "{}", 90);
  EXPECT_THAT(known(), IsEmpty());
  keep("row", params(7), 80);
  EXPECT_EQ(known().at(0).params, Point{7});
}

}  // namespace
}  // namespace warpwright::tuner
