// Tests of the times of a plan's steps: stored, replaced, merged and added up.
#include "db/query/step_times.hpp"

#include <gmock/gmock.h>

#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

class StepTimes : public testing::Test {
 protected:
  void put(int number, const std::string& kind, int stream, double start, double end) {
    store_.put_step({.trial_id = trial_,
                     .number = number,
                     .kind = kind,
                     .name = "step " + std::to_string(number),
                     .stream = stream,
                     .start_us = start,
                     .end_us = end,
                     .us = end - start});
  }

  TemporaryFolder folder_{memory_folder()};
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  Id trial_ = store_.add_trial(example_.measured(32, 30));
};

TEST_F(StepTimes, OfOneStreamAddUpAndCannotOverlap) {
  put(1, "launch", 0, 11, 21);
  put(0, "memset", 0, 0, 10);
  put(2, "wait", 0, 21, 25);
  const PlanTimes times = plan_times(store_, trial_);
  ASSERT_THAT(times.steps, SizeIs(3));
  EXPECT_EQ(times.steps[0].kind, "memset");
  EXPECT_EQ(times.steps[1].name, "step 1");
  EXPECT_EQ(times.sum_us, 20) << "waiting is no work";
  EXPECT_EQ(times.span_us, 25);
  EXPECT_EQ(times.ideal_us, 20);
  EXPECT_EQ(times.overlap(), 0);
}

TEST_F(StepTimes, OfSeveralStreamsAreComparedWithTheIdeal) {
  put(0, "copy to GPU", 0, 0, 10);
  put(1, "copy to GPU", 1, 10, 20);
  put(2, "launch", 0, 10, 14);
  put(3, "launch", 1, 20, 24);
  const PlanTimes times = plan_times(store_, trial_);
  EXPECT_EQ(times.sum_us, 28);
  EXPECT_EQ(times.span_us, 24);
  EXPECT_EQ(times.ideal_us, 20);
  EXPECT_EQ(times.overlap(), 0.5);
  EXPECT_THAT(times.kinds, ElementsAre(Pair("copy to GPU", 20), Pair("launch", 8)));
}

TEST_F(StepTimes, LeaveOutWaitsForAnotherStream) {
  put(0, "copy to GPU", 1, 0, 10);
  put(1, "launch", 1, 10, 14);
  put(2, "copy to GPU", 2, 1, 21);  // its first 9 us are those of the other copy
  put(3, "launch", 2, 21, 25);
  const PlanTimes times = plan_times(store_, trial_);
  EXPECT_EQ(times.steps[2].us, 11);
  EXPECT_EQ(times.steps[2].start_us, 1);
  EXPECT_EQ(times.ideal_us, 21);
  EXPECT_LE(times.ideal_us, times.span_us);
}

TEST_F(StepTimes, OfATrialWithoutStepTimesAreEmpty) {
  const PlanTimes times = plan_times(store_, trial_);
  EXPECT_THAT(times.steps, IsEmpty());
  EXPECT_EQ(times.overlap(), 0);
}

TEST_F(StepTimes, AreReplacedMergedCheckedAndForgotten) {
  put(0, "launch", 0, 0, 10);
  put(0, "launch", 0, 0, 12);
  ASSERT_THAT(store_.steps(trial_), SizeIs(1));
  EXPECT_EQ(store_.steps(trial_)[0].us, 12);
  EXPECT_THAT(error_of([&] { put(1, "dance", 0, 0, 1); }), HasSubstr("step.kind is one of the kinds"));
  Store other(folder_ / "b.db");
  merge(other, store_.path());
  ASSERT_THAT(trials(other, {}), SizeIs(1));
  EXPECT_THAT(other.steps(trials(other, {})[0].trial.id), SizeIs(1));
  EXPECT_THAT(check(other), IsEmpty());
  other.connection().execute("UPDATE step SET number = 7");
  EXPECT_THAT(check(other), ElementsAre(HasSubstr("step 1: its content is not what was stored")));
  EXPECT_EQ(forget(store_, {}), 1);
  EXPECT_THAT(store_.steps(trial_), IsEmpty());
  EXPECT_THAT(check(store_), IsEmpty());
}

}  // namespace
}  // namespace warpwright::db
