// Tests that a budget is kept, on a GPU that moves the clock of the budget.
#include <gmock/gmock.h>

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
  EXPECT_THAT(gpu_.turns, ElementsAre(SizeIs(2)));
  EXPECT_THAT(ranking(), SizeIs(2));
}

TEST_F(KeptBudget, AConfigurationBeginsOnlyIfItEndsBeforeTheSearch) {
  gpu_.trial_seconds = 130;
  EXPECT_LT(measured_seconds(250), 150);
  EXPECT_THAT(gpu_.verified, SizeIs(1)) << "the second one would end after 260 s, and the search ends after 242 s";
  EXPECT_THAT(ranking(), SizeIs(1));
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

}  // namespace
}  // namespace warpwright::tuner
