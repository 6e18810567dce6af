// Tests of what is stored of ranked predictions.
#include "tuner/predicting/rank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tuner/cost_model/prediction.hpp"
#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class LaunchTimes : public Measuring {
 protected:
  /// Predicted launch by launch, and stored.
  Evaluation evaluation(const std::vector<double>& launch_us) {
    Evaluation made{.configuration =
                        prepare(*task_.kernels[0], task_.kernels[0]->default_point, task_.problem, gpu_.device())};
    const Step launch = made.configuration.plan.steps.front();
    made.configuration.plan.steps.assign(launch_us.size(), launch);
    made.launch_us = launch_us;
    made.trial = recorder_.trial(made.configuration, task_.problem, "predicted");
    made.trial.verdict = "passed";
    made.trial.predicted_us = 0;
    for (const double us : launch_us) *made.trial.predicted_us += us;
    made.trial.id = recorder_.store_trial(made.configuration, made.trial);
    return made;
  }

  Recorder recorder_{store_, toys_, gpu_.device(), "table", {}, {.command = "test"}};
};

TEST_F(LaunchTimes, OfRankedPlansAreStoredOneAfterTheOther) {
  const std::vector<Evaluation> evaluations{evaluation({30, 12}), evaluation({50}), evaluation({40, 60})};
  rank_predicted(recorder_, task_, request_, gpu_.device(), {evaluations[0].trial, evaluations[1].trial});
  store_launch_times(recorder_, task_, evaluations);
  const std::vector<db::StepTime> steps = store_.steps(evaluations[0].trial.id);
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[0].kind, "launch");
  EXPECT_EQ(steps[0].us, 30);
  EXPECT_EQ(steps[1].number, 1);
  EXPECT_EQ(steps[1].start_us, 30);
  EXPECT_EQ(steps[1].end_us, 42);
  EXPECT_THAT(store_.steps(evaluations[1].trial.id), IsEmpty()) << "a single launch";
  EXPECT_THAT(store_.steps(evaluations[2].trial.id), IsEmpty()) << "not ranked";
}

TEST_F(LaunchTimes, AddUpToThePrediction) {
  const LaunchFacts large{.grid = 80'000, .block = 128, .registers = 20};
  const LaunchFacts small{.grid = 10'000, .block = 128, .registers = 20, .times = 3};
  const Prediction both = predict(gpu_.device(), {.bytes_read = 8e7, .bytes_written = 4e7}, {large, small});
  ASSERT_THAT(both.launch_us, SizeIs(2));
  EXPECT_GT(both.launch_us[0], both.launch_us[1]);
  EXPECT_DOUBLE_EQ(both.launch_us[0] + both.launch_us[1], both.us);
  EXPECT_DOUBLE_EQ(both.breakdown.launch, 5) << "2 us for the first launch, 1 us for each of the other three";
}

}  // namespace
}  // namespace warpwright::tuner
