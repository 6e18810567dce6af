// Tests of tuning on one GPU with scripted results: what is measured, dropped, retried, ranked, certified and stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST_F(Measuring, EveryConfigurationIsVerifiedOnceTimedAndStoredAndTheFastestIsCertified) {
  script(5).us = 200;
  const TaskResult done = measure();
  EXPECT_EQ(done.outcome.configurations, 12);
  EXPECT_EQ(done.outcome.faults.wrong(), 0);
  EXPECT_EQ(done.rates.copy_gbs, 4000);
  EXPECT_THAT(gpu_.selected, ElementsAre("toy[data=uniform,float,67108864]"));
  EXPECT_THAT(gpu_.verified, SizeIs(12));
  EXPECT_THAT(gpu_.tested, ElementsAre(params(5)));
  EXPECT_THAT(gpu_.simulated, ElementsAre(params(5)));
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  const db::TrialView best = newest(5);
  EXPECT_EQ(best.trial.verdict, "passed");
  EXPECT_NEAR(best.trial.median_us.value(), 200, 1);
  ASSERT_THAT(best.certificates, SizeIs(1));
  EXPECT_EQ(best.certificates[0].cases, 200);
  EXPECT_EQ(best.certificates[0].simulated_cases, 60);
  EXPECT_THAT(store_.counterexamples(), IsEmpty());
}

TEST_F(Measuring, ABudgetOfEvaluationsIsKeptByEveryStrategy) {
  request_.budget_evaluations = 5;
  for (const char* strategy : {"random", "local", "gaussian_process", "exhaustive"}) {
    request_.strategy = strategy;
    request_.remeasure = true;
    gpu_.verified.clear();
    EXPECT_EQ(measure().outcome.configurations, 5) << strategy;
    EXPECT_THAT(gpu_.verified, SizeIs(5)) << strategy;
  }
}

TEST_F(Measuring, AStrategyGetsTheTimesAndFindsTheMinimum) {
  request_.strategy = "local";
  request_.budget_evaluations = 8;
  for (int k = 1; k <= 12; ++k) script(k).us = 200 + 20.0 * std::abs(k - 4);
  measure();
  EXPECT_THAT(gpu_.verified, Contains(params(4)));
  EXPECT_THAT(ranking(), ElementsAre(params(4)));
}

TEST_F(Measuring, TheBestConfigurationOnOtherDataIsMeasuredAfterTheDefault) {
  script(5).us = 200;
  measure();
  script(5).us = 310;
  task_.problem.data = "zipf";
  request_.strategy = "random";
  request_.budget_evaluations = 2;
  gpu_.verified.clear();
  measure();
  EXPECT_THAT(gpu_.verified, ElementsAre(params(1), params(5)));
  const std::vector<db::Best> answers = db::best(store_, {.arch = gpu_.device().arch()});
  ASSERT_THAT(answers, SizeIs(2));
  ASSERT_TRUE(answers[0].any_data);
  EXPECT_EQ(answers[0].any_data->setting.params, params(5));
  EXPECT_NEAR(answers[0].any_data->worst_loss, 10.0 / 300, 1e-3);
  EXPECT_EQ(answers[0].any_data->worst_at, "zipf");
}

TEST_F(Measuring, AConfigurationThatCannotWinIsStoppedEarlyAndFlagged) {
  script(1).us = 200;
  script(2).us = 204;
  script(3).us = 240;
  script(5).us = 900;
  measure();
  EXPECT_FALSE(newest(1).trial.stopped_early);
  EXPECT_TRUE(newest(3).trial.stopped_early);
  EXPECT_EQ(gpu_.taken.at(params(3)), 3);
  EXPECT_TRUE(newest(4).trial.stopped_early);
  EXPECT_EQ(gpu_.taken.at(params(4)), 2) << "half as slow again";
  EXPECT_TRUE(newest(5).trial.stopped_early);
  EXPECT_EQ(gpu_.taken.at(params(5)), 1) << "the runs that verified it showed it";
}

TEST_F(Measuring, ThrottledSamplesAreDiscardedAndTakenAgain) {
  script(3).throttled = 3;  // the number of retries of one sample
  script(3).us = 200;
  measure();
  const db::TrialView trial = newest(3);
  EXPECT_NEAR(trial.trial.median_us.value(), 200, 1);
  EXPECT_THAT(trial.trial.warnings, Not(HasSubstr("reduced clock")));
  for (const db::TrialView& view : db::trials(store_, {}))
    if (view.params == params(3)) {
      EXPECT_THAT(store_.samples(view.trial.id).microseconds, Each(testing::Lt(210)));
    }
}

TEST_F(Measuring, RetriesOfThrottledSamplesAreBoundedAndKeptOnesAreFlagged) {
  script(3).throttled = 1'000'000;
  measure();
  EXPECT_LT(gpu_.taken.at(params(3)), 60);
  EXPECT_THAT(newest(3).trial.warnings, HasSubstr("samples at a reduced clock"));
  EXPECT_NEAR(newest(3).trial.median_us.value(), 600, 3);
}

TEST_F(Measuring, FinalistsAreAllWithinThreePercentAndAtMostEightInCanonicalOrder) {
  script(2).us = 200;
  script(7).us = 205;
  script(9).us = 207;
  measure();
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre(params(2), params(7))));
  gpu_.rounds_of.clear();
  task_.problem.data = "zipf";  // no stored best is a finalist too
  for (int k = 1; k <= 12; ++k) script(k).us = 206 - 0.1 * k;
  measure();
  ASSERT_THAT(gpu_.rounds_of, SizeIs(1));
  EXPECT_THAT(gpu_.rounds_of[0], ElementsAreArray({params(5), params(6), params(7), params(8), params(9), params(10),
                                                   params(11), params(12)}));
}

TEST_F(Measuring, ATieIsDecidedByTheCanonicalOrderAndMarked) {
  for (const int k : {4, 8, 11}) script(k).us = 200;
  script(11).us = 203;  // slower in every round
  measure();
  EXPECT_THAT(ranking(), ElementsAre(params(4), params(8), params(11)));
  EXPECT_TRUE(newest(4).trial.tied);
  EXPECT_TRUE(newest(8).trial.tied);
  EXPECT_FALSE(newest(11).trial.tied);
  EXPECT_THAT(gpu_.tested, ElementsAre(params(4)));
}

TEST_F(Measuring, TheRoundsDecideAndNotTheSearch) {
  script(3).us = 200;
  script(3).round_us = 220;
  script(6).us = 205;
  measure();
  EXPECT_THAT(ranking(), ElementsAre(params(6), params(3)));
  EXPECT_NEAR(newest(3).trial.median_us.value(), 220, 1);
}

TEST_F(Measuring, ATimeBelowTheSpeedOfLightIsMistrustedAndNeverAFinalist) {
  script(2).us = 20;  // 2^26 floats in and out
  script(9).us = 200;
  const TaskResult done = measure();
  EXPECT_EQ(newest(2).trial.verdict, "mistrusted");
  EXPECT_THAT(newest(2).trial.detail, HasSubstr("faster than"));
  EXPECT_THAT(ranking(), ElementsAre(params(9)));
  EXPECT_FALSE(newest(9).trial.stopped_early) << "nobody is held against an impossible time";
  EXPECT_EQ(done.outcome.faults.wrong(), 0);
}

TEST_F(Measuring, WrongConfigurationsAreStoredAndCountedAndTheSearchContinues) {
  script(1).verdict = Verdict::crashed;
  script(2).verdict = Verdict::timed_out;
  script(3).not_compiled = "error: no";
  script(4).registers = 255;  // of 1,024 threads: more than a block may have
  script(5).verdict = Verdict::mistrusted;
  script(6).us = 200;
  const TaskResult done = measure();
  EXPECT_EQ(newest(1).trial.verdict, "crashed");
  EXPECT_EQ(newest(2).trial.verdict, "timed out");
  EXPECT_EQ(newest(3).trial.verdict, "not compiled");
  EXPECT_EQ(newest(3).trial.detail, "error: no");
  EXPECT_EQ(newest(4).trial.verdict, "not launchable");
  EXPECT_EQ(newest(5).trial.verdict, "mistrusted");
  EXPECT_EQ(done.outcome.faults.wrong(), 3) << "the kernel is not to blame for the others";
  EXPECT_THAT(ranking(), ElementsAre(params(6)));
  EXPECT_THAT(gpu_.verified, Not(Contains(params(3))));
  EXPECT_THAT(gpu_.verified, Not(Contains(params(4))));
}

TEST_F(Measuring, AWinnerWhoseCertificateFailsDropsOutAndTheNextOneWins) {
  script(3).us = 200;
  script(3).on_cases = Verdict::failed;
  script(8).us = 202;
  const TaskResult done = measure();
  EXPECT_THAT(gpu_.tested, ElementsAre(params(3), params(8)));
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre(params(3), params(8)), ElementsAre(params(8))));
  EXPECT_THAT(ranking(), ElementsAre(params(8)));
  EXPECT_THAT(newest(8).certificates, SizeIs(1));
  EXPECT_EQ(newest(3).trial.verdict, "failed");
  EXPECT_EQ(newest(3).trial.rank, std::nullopt);
  EXPECT_THAT(newest(3).certificates, IsEmpty());
  EXPECT_EQ(done.outcome.faults.wrong(), 1);
  const auto stored = store_.counterexamples("toy/row");
  ASSERT_THAT(stored, SizeIs(1));
  EXPECT_THAT(stored[0].repro, HasSubstr("params={.k = 3} problem=toy[data=uniform,float,1] input=exact:7"));
  EXPECT_THAT(newest(3).trial.detail, HasSubstr("conform --repro '" + stored[0].repro + "'"));
}

TEST_F(Measuring, AWinnerThatFailsInTheSimulatorDropsOutEvenIfItPassesOnTheGpu) {
  script(3).us = 200;
  script(3).on_host = Verdict::failed;
  script(8).us = 202;
  measure();
  EXPECT_THAT(gpu_.tested, ElementsAre(params(3), params(8)));
  EXPECT_THAT(gpu_.simulated, ElementsAre(params(3), params(8)));
  EXPECT_THAT(ranking(), ElementsAre(params(8)));
  EXPECT_EQ(newest(3).trial.verdict, "failed");
  ASSERT_THAT(store_.counterexamples("toy/row"), SizeIs(1));
  EXPECT_THAT(store_.counterexamples("toy/row")[0].repro, HasSubstr("target=host/sm_90"));
}

TEST_F(Measuring, ACoveringSampleIsSimulatedAndFailuresThereAreNeverFinalists) {
  script(3).us = 200;
  script(3).in_sample = Verdict::failed;
  script(5).verdict = Verdict::failed;
  script(8).us = 202;
  const TaskResult done = measure();
  // One axis with twelve values, so all twelve. Configurations that are wrong on the GPU are not simulated. The best is
  // compiled again, for its certificate.
  EXPECT_THAT(gpu_.compiled_for_simulator, SizeIs(13));
  EXPECT_EQ(gpu_.compiled_for_simulator.back(), params(8));
  EXPECT_THAT(gpu_.sampled, AllOf(SizeIs(11), Not(Contains(params(5)))));
  EXPECT_EQ(done.outcome.simulated, 11);
  EXPECT_EQ(done.outcome.faults.wrong(), 2);
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre(params(8))));
  EXPECT_EQ(newest(3).trial.verdict, "failed");
  const auto stored = store_.counterexamples("toy/row");
  EXPECT_THAT(stored, Contains(testing::Field(&db::Counterexample::repro, HasSubstr("target=host/sm_90"))));
  gpu_.sampled.clear();
  EXPECT_EQ(measure().outcome.simulated, 0) << "stored trials were simulated when they were new";
  EXPECT_THAT(gpu_.sampled, IsEmpty());
}

TEST_F(Measuring, ACertificateSaysWhyNothingWasSimulated) {
  gpu_.why_not_simulated = "no host compiler";
  script(5).us = 200;
  measure();
  EXPECT_THAT(gpu_.simulated, IsEmpty());
  EXPECT_THAT(gpu_.sampled, IsEmpty());
  EXPECT_THAT(gpu_.compiled_for_simulator, IsEmpty());
  ASSERT_THAT(newest(5).certificates, SizeIs(1));
  EXPECT_EQ(newest(5).certificates[0].simulated_cases, 0);
  EXPECT_EQ(newest(5).certificates[0].not_modelled, "no host compiler");
}

TEST_F(Measuring, AWinnerOfWhichNoCaseEndedInTheSimulatorHasNoCertificate) {
  script(5).us = 200;
  gpu_.is_too_late_to_simulate = true;
  measure();
  EXPECT_EQ(ranking().front(), params(5));
  EXPECT_THAT(newest(5).certificates, IsEmpty());
}

TEST_F(Measuring, WithoutACertificateThereIsNoWinner) {
  gpu_.usual.on_cases = Verdict::failed;
  gpu_.usual.us = 200;
  const TaskResult done = measure();
  EXPECT_THAT(gpu_.tested, SizeIs(8)) << "all finalists";
  EXPECT_THAT(ranking(), IsEmpty());
  EXPECT_EQ(done.outcome.faults.wrong(), 8);
}

TEST_F(Measuring, AFinalistThatIsWrongInTheRoundsDropsOutAndTheOthersStartAgain) {
  script(3).us = 200;
  script(3).in_rounds = Verdict::failed;
  script(8).us = 202;
  script(9).us = 203;
  measure();
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(SizeIs(3), ElementsAre(params(8), params(9))));
  EXPECT_EQ(newest(3).trial.verdict, "failed");
  EXPECT_EQ(ranking().front(), params(8));
}

TEST_F(Measuring, AFinalistThatCrashesTheWorkerIsFoundAndTheOthersStay) {
  script(3).us = 200;
  script(8).us = 202;
  script(8).ends_the_worker = true;
  script(9).us = 203;
  measure();
  EXPECT_EQ(newest(8).trial.verdict, "crashed");
  EXPECT_THAT(ranking(), ElementsAre(params(3), params(9)));
}

TEST_F(Measuring, StoredTrialsAreReusedExceptFinalistsUnlessRemeasureIsRequested) {
  script(5).us = 200;
  script(6).verdict = Verdict::failed;
  measure();
  gpu_.verified.clear();
  gpu_.rounds_of.clear();
  gpu_.tested.clear();
  const TaskResult again = measure();
  EXPECT_EQ(again.outcome.configurations, 1);
  EXPECT_EQ(again.outcome.resumed, 11);
  EXPECT_THAT(gpu_.verified, ElementsAre(params(5)));
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(ElementsAre(params(5))));
  EXPECT_THAT(gpu_.tested, ElementsAre(params(5)));
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  request_.remeasure = true;
  EXPECT_EQ(measure().outcome.configurations, 12);
}

TEST_F(Measuring, TheEndOfTheBudgetEndsTheSearchAndWhatWasNotSearchedIsReported) {
  EXPECT_EQ(measure().searched, "");
  request_.remeasure = true;
  gpu_.verified.clear();
  end_ = Budget::Clock::now();
  const TaskResult measured = measure();
  EXPECT_THAT(gpu_.verified, IsEmpty());
  EXPECT_EQ(measured.searched, "row 0 of 12");
  EXPECT_EQ(measured.outcome.configurations, 0);
}

TEST_F(Measuring, ThereAreAsManyFinalistsAsTheTimeAllows) {
  for (int k = 1; k <= 12; ++k) script(k).us = 1e6;
  request_.budget_evaluations = 4;
  end_ = Budget::Clock::now() + std::chrono::seconds(60);
  EXPECT_EQ(measure().searched, "row 4 of 12");
  EXPECT_THAT(gpu_.rounds_of.back(), SizeIs(1));
  EXPECT_THAT(ranking(), SizeIs(1));
}

TEST_F(Measuring, AStopEndsTheSearchAndNothingIsRanked) {
  stop_ = true;
  const TaskResult done = measure();
  EXPECT_EQ(done.outcome.configurations, 0);
  EXPECT_THAT(gpu_.rounds_of, IsEmpty());
  EXPECT_THAT(ranking(), IsEmpty());
}

TEST_F(Measuring, AWrongResultIsStoredAsASmallCase) {
  script(4).verdict = Verdict::failed;
  script(4).on_cases = Verdict::failed;
  measure();
  const auto stored = store_.counterexamples("toy/row");
  ASSERT_THAT(stored, SizeIs(1));
  EXPECT_THAT(stored[0].repro, HasSubstr("params={.k = 4} problem=toy[data=uniform,float,1]"));
  EXPECT_THAT(stored[0].repro, HasSubstr("target=sm_90"));
  EXPECT_EQ(stored[0].detail, "planted in a case");
  EXPECT_EQ(newest(4).trial.detail, "planted; reproduce: conform --repro '" + stored[0].repro + "'");
}

TEST_F(Measuring, WithoutASmallCaseTheProblemItselfIsStored) {
  script(4).verdict = Verdict::failed;
  measure();
  const auto stored = store_.counterexamples();
  ASSERT_THAT(stored, SizeIs(1));
  EXPECT_THAT(stored[0].repro, HasSubstr("problem=toy[data=uniform,float,67108864] input=exact:1"));
  EXPECT_THAT(newest(4).trial.detail, HasSubstr(stored[0].repro));
}

TEST_F(Measuring, OnlyThreeFailuresOfAKernelBecomeCounterexamples) {
  gpu_.usual.verdict = Verdict::failed;
  gpu_.usual.on_cases = Verdict::failed;
  EXPECT_EQ(measure().outcome.faults.wrong(), 12);
  EXPECT_THAT(store_.counterexamples(), SizeIs(3));
  EXPECT_THAT(gpu_.tested, SizeIs(3));
}

}  // namespace
}  // namespace warpwright::tuner
