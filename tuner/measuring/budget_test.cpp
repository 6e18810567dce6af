// Tests that a budget is kept, on a GPU that moves the clock of the budget.
#include <gmock/gmock.h>

#include <set>

#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class KeptBudget : public Measuring {
 protected:
  double measured_seconds(double budget) {
    const Budget::Clock::time_point begin = Budget::Clock::now();
    end_ = begin + Budget::to_duration(budget);
    measure();
    return std::chrono::duration<double>(Budget::Clock::now() - begin).count();
  }
};

TEST_F(KeptBudget, NothingBeginsThatCannotEndInTimeAndTheRoundsGetTheirShare) {
  gpu_.trial_seconds = 30;
  gpu_.restoring_us = 1e6;
  gpu_.usual.us = 3e5;
  EXPECT_LT(measured_seconds(250), 250);
  EXPECT_THAT(gpu_.verified, SizeIs(3)) << "150 s are kept: twice what the rounds of two finalists take";
  EXPECT_THAT(gpu_.rounds_of, ElementsAre(SizeIs(2)));
  EXPECT_THAT(ranking(), SizeIs(2));
}

TEST_F(KeptBudget, ASlowBestHasAsManyRoundsAsThereIsTimeForButEnoughForAnInterval) {
  gpu_.trial_seconds = 30;
  gpu_.usual.us = 3e6;
  EXPECT_LT(measured_seconds(100), 100);
  EXPECT_THAT(gpu_.round_counts, ElementsAre(testing::AllOf(testing::Ge(10), testing::Lt(kRounds))));
  gpu_.round_counts.clear();
  gpu_.usual.us = 1e9;
  request_.remeasure = true;
  measured_seconds(40);
  EXPECT_THAT(gpu_.round_counts, ElementsAre(6));
}

TEST_F(KeptBudget, AConfigurationBeginsOnlyIfItEndsBeforeTheSearch) {
  gpu_.trial_seconds = 130;
  EXPECT_LT(measured_seconds(250), 150);
  EXPECT_THAT(gpu_.verified, SizeIs(1)) << "the second one would end after 260 s, and the search ends after 242 s";
  EXPECT_THAT(ranking(), SizeIs(1));
}

TEST_F(KeptBudget, TheDefaultIsMeasuredFirstEvenIfItIsCompiledLast) {
  request_.strategy = "local";
  gpu_.compiled_last = row_kernel().space.text(row_kernel().default_point);
  gpu_.trial_seconds = 100;
  measured_seconds(100);
  EXPECT_THAT(gpu_.verified, ElementsAre(gpu_.compiled_last)) << "there is time for a single one";
}

TEST_F(KeptBudget, EveryKernelHasATrialBeforeTimeIsKeptForTheRounds) {
  Kernel other = row_kernel();
  other.name = "other";
  const Catalogue two({toy_pattern()}, {row_kernel(), other}, {{"toy/row.cuh", ""}});
  task_.kernels = {&two.kernels().front(), &two.kernels().back()};
  request_.strategy = "local";
  gpu_.trial_seconds = 90;
  gpu_.restoring_us = 1e6;
  gpu_.usual.us = 3e5;
  end_ = Budget::Clock::now() + std::chrono::seconds(250);
  measure(two, {task_});
  EXPECT_THAT(gpu_.verified, SizeIs(2)) << "the rounds of two finalists would take more than the rest";
}

TEST_F(KeptBudget, TheSimulatorChecksTheSampleUntilTheSearchEnds) {
  measured_seconds(250);
  ASSERT_THAT(gpu_.sampled_until, Not(IsEmpty()));
  EXPECT_THAT(gpu_.sampled_until, Each(testing::Lt(*end_ - std::chrono::seconds(7))));
}

TEST_F(KeptBudget, ASmallFailingCaseIsSearchedForATenthOfTheTimeLeft) {
  script(2).verdict = Verdict::failed;
  measured_seconds(100);
  ASSERT_THAT(gpu_.properties, Not(IsEmpty()));
  EXPECT_LT(*gpu_.properties.front().deadline, *end_ - std::chrono::seconds(81)) << "not 20 s";
}

TEST_F(KeptBudget, WhileATaskIsRankedTheFirstProgramsOfTheNextOneAreCompiled) {
  TuningTask next = task_;
  next.problem.data = "zipf";
  std::vector<std::size_t> early;
  gpu_.on_rounds = [&] { early.push_back(gpu_.compiled_early.size()); };
  const auto results = measure(toys_, {task_, next});
  EXPECT_THAT(early, ElementsAre(6, 6)) << "three for each compiler";
  EXPECT_THAT(std::set(gpu_.compiled_early.begin(), gpu_.compiled_early.end()), SizeIs(6));
  EXPECT_THAT(gpu_.compiled, SizeIs(18)) << "each program once";
  EXPECT_EQ(results[1].outcome.configurations, 12);
}

TEST_F(KeptBudget, ATaskWhoseRightAnswersAreLateEndsAndTheNextOneIsMeasured) {
  TuningTask next = task_;
  next.problem.data = "zipf";
  gpu_.late_answers = problem_text(task_.problem);
  end_ = Budget::Clock::now() + std::chrono::hours(1);
  const auto results = measure(toys_, {task_, next});
  EXPECT_EQ(results[0].outcome.late_answers, "the answers are late");
  EXPECT_EQ(results[0].outcome.configurations, 0);
  EXPECT_EQ(results[1].outcome.late_answers, "");
  EXPECT_EQ(results[1].outcome.configurations, 12);
  EXPECT_THAT(gpu_.selected_until, Each(end_));
}

TEST_F(KeptBudget, TheRightAnswersAreComputedOnceBeforeTheFirstTrial) {
  int before_trials = 0;
  gpu_.on_work = [&] { before_trials = before_trials > 0 ? before_trials : gpu_.set_ups; };
  const TaskResult result = measure();
  EXPECT_EQ(before_trials, 1);
  EXPECT_EQ(gpu_.set_ups, 1);
  EXPECT_EQ(result.outcome.seconds.parts.setting_up, 2e6);
}

TEST_F(KeptBudget, ATimeOfAConfigurationThatRanOnOneInputOnlySaysSo) {
  gpu_.left_out = 1;
  measure();
  EXPECT_THAT(newest(1).trial.warnings, testing::HasSubstr("its other input was left out"));
}

TEST_F(KeptBudget, NothingIsCompiledEarlyWhileEqualBitsAreTested) {
  TuningTask next = task_;
  next.problem.data = "zipf";
  request_.params.only_deterministic = true;
  measure(toys_, {task_, next});
  EXPECT_THAT(gpu_.compiled_early, IsEmpty());
}

TEST_F(KeptBudget, ASearchThatFindsNothingBetterLeavesItsTimeToTheTasksAfterIt) {
  const Catalogue large({toy_pattern()}, {row_kernel(400)}, {{"toy/row.cuh", ""}});
  request_.strategy = "local";
  task_.kernels = {&large.kernels().front()};
  TuningTask next = task_;
  next.problem.data = "zipf";
  end_ = Budget::Clock::now() + std::chrono::hours(1);
  const auto results = measure(large, {task_, next});
  EXPECT_THAT(results[0].outcome.configurations, testing::AllOf(testing::Gt(100), testing::Lt(120)));
  EXPECT_EQ(results[1].outcome.configurations, 400);
}

TEST(Improvements, CeaseAfterTwiceTheConfigurationsThatTheBestNeeded) {
  Improvements improvements;
  const auto add = [&](int count, double cost) {
    for (int i = 0; i < count; ++i) improvements.add(cost);
  };
  add(79, 100);
  improvements.add(99);
  add(160, 98.9);
  EXPECT_FALSE(improvements.have_ceased(1000));
  improvements.add(98.9);
  EXPECT_TRUE(improvements.have_ceased(1000));
  EXPECT_FALSE(improvements.have_ceased(10000)) << "a fiftieth of the space";
  improvements.add(98);
  EXPECT_FALSE(improvements.have_ceased(1000));
}

}  // namespace
}  // namespace warpwright::tuner
