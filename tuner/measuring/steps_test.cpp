// Tests of what is stored of finalists besides their times: the times of their plans' steps, and the winner's accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A memset before the launch.
Kernel clearing_kernel() {
  Kernel kernel = row_kernel();
  kernel.plan = [plan = kernel.plan](const Point& params, const Problem& problem, const Device& device) {
    Plan made = plan(params, problem, device);
    made.steps.insert(made.steps.begin(),
                      {.what = Memset{.buffer = "out", .count = problem.elements(), .value = value(0)}});
    return made;
  };
  return kernel;
}

class StepsOfFinalists : public Measuring {
 protected:
  StepsOfFinalists() {
    task_.kernels = {&clearing_.kernels().front()};
    script(5).us = 200;
    script(7).us = 202;
  }

  const Catalogue clearing_{{toy_pattern()}, {clearing_kernel()}, {{"toy/row.cuh", ""}}};
};

TEST_F(StepsOfFinalists, AreTimedAndTheTrialKeepsItsTime) {
  measure();
  EXPECT_THAT(gpu_.stepped, ElementsAre(params(5), params(7)));
  const db::TrialView best = newest(5);
  EXPECT_NEAR(best.trial.median_us.value(), 200, 1);
  const std::vector<db::StepTime> steps = store_.steps(best.trial.id);
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[0].kind, "memset");
  EXPECT_EQ(steps[1].kind, "launch");
  EXPECT_THAT(steps[1].name, HasSubstr(params(5)));
  EXPECT_EQ(steps[1].us, 100);
  EXPECT_THAT(store_.steps(newest(7).trial.id), SizeIs(2));
  EXPECT_THAT(store_.steps(newest(1).trial.id), IsEmpty());
}

TEST_F(StepsOfFinalists, AreNotTimedAfterTheEnd) {
  end_ = Budget::Clock::now() + std::chrono::hours(1);
  const Budget::Clock::duration before = Budget::Clock::ahead;
  gpu_.on_rounds = [&] { Budget::Clock::ahead = before + std::chrono::hours(2); };
  measure();
  Budget::Clock::ahead = before;
  EXPECT_THAT(gpu_.stepped, IsEmpty());
  EXPECT_THAT(ranking(), SizeIs(2));
}

TEST_F(StepsOfFinalists, CostNoResultIfTheGpuIsLostMeanwhile) {
  gpu_.is_lost_at_steps = true;
  measure();
  EXPECT_THAT(ranking(), ElementsAre(params(5), params(7)));
  EXPECT_THAT(newest(5).certificates, SizeIs(1));
  EXPECT_THAT(store_.steps(newest(5).trial.id), IsEmpty());
}

TEST_F(Measuring, ASingleStepIsNotTimedByItself) {
  script(5).us = 200;
  measure();
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  EXPECT_THAT(gpu_.stepped, IsEmpty());
}

TEST_F(Measuring, TheAccessesOfTheWinnerAreCountedInTheSimulator) {
  script(5).us = 200;
  measure();
  EXPECT_THAT(gpu_.traced, ElementsAre(params(5)));
  const std::vector<db::Access> rows = store_.accesses();
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].configuration_id, newest(5).trial.configuration_id);
  EXPECT_EQ(rows[0].problem_id, newest(5).trial.problem_id);
  EXPECT_EQ(rows[0].target, "host/sm_90");
  EXPECT_EQ(rows[0].global_load_sectors, 8);
  EXPECT_EQ(rows[0].threads, 64);
}

TEST_F(Measuring, AWinnerThatIsWrongWhereItsAccessesAreCountedDropsOut) {
  script(5).us = 200;
  script(5).on_trace = Verdict::failed;
  script(7).us = 202;
  measure();
  EXPECT_THAT(gpu_.traced, ElementsAre(params(5), params(7)));
  EXPECT_THAT(ranking(), ElementsAre(params(7)));
  EXPECT_EQ(newest(5).trial.verdict, "failed");
  ASSERT_THAT(store_.accesses(), SizeIs(1));
  EXPECT_EQ(store_.accesses()[0].configuration_id, newest(7).trial.configuration_id);
}

TEST_F(Measuring, NothingIsCountedWhereNothingCanBeSimulated) {
  gpu_.why_not_simulated = "no host compiler";
  script(5).us = 200;
  measure();
  EXPECT_THAT(ranking(), ElementsAre(params(5)));
  EXPECT_THAT(gpu_.traced, IsEmpty());
  EXPECT_THAT(store_.accesses(), IsEmpty());
}

}  // namespace
}  // namespace warpwright::tuner
