// Tests of which times of libraries are shown beside ours.
#include "db/query/libraries.hpp"

#include <gmock/gmock.h>

#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Libraries : public testing::Test {
 protected:
  // A baseline of a day, whose time is `us`.
  Id baseline(const std::string& day, double us, const std::string& knobs = "") {
    return store_.add_baseline({.implementation = "cub",
                                .idiom = "device",
                                .knobs = knobs,
                                .is_default = knobs.empty(),
                                .problem_id = example_.problem,
                                .board_id = example_.board,
                                .created_at = "2026-01-" + day + "T00:00:00.000Z",
                                .verdict = "passed",
                                .mode = "clean cold L2",
                                .median_us = us});
  }
  void compare(Id trial, Id baseline, double ratio) {
    store_.add_comparison({.trial_id = trial,
                           .baseline_id = baseline,
                           .rounds = 30,
                           .ratio = ratio,
                           .low = ratio - 0.01,
                           .high = ratio + 0.01});
  }
  std::vector<ComparedBaseline> beside_best() { return best(store_, {.arch = "sm_90"}).at(0).baselines; }

  TemporaryFolder folder_;
  Store store_ = new_store(folder_ / "a.db");
  ExampleTrials example_{store_};
};

TEST_F(Libraries, ATimeInRoundsWithOursComesBeforeANewerOne) {
  const Id ours = store_.add_trial(example_.measured(16, 10));
  compare(ours, baseline("01", 10.2), 1.014);
  compare(store_.add_trial(example_.measured(32, 12)), baseline("02", 10.3), 0.9);
  const auto found = beside_best();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].comparison.ratio, 1.014);
  EXPECT_TRUE(found[0].has_rounds());
}

TEST_F(Libraries, RoundsWithAnotherTrialOfTheBestConfigurationCount) {
  Trial earlier = example_.measured(16, 11);
  earlier.created_at = "2025-01-01T00:00:00.000Z";
  compare(store_.add_trial(earlier), baseline("01", 12), 1.1);
  store_.add_trial(example_.measured(16, 10));
  const auto found = beside_best();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].comparison.ratio, 1.1);
}

TEST_F(Libraries, WithoutRoundsTheRatioIsThatOfTheMediansOfTheFastestKnobs) {
  store_.add_trial(example_.measured(16, 10));
  baseline("01", 5, "{.k = 1}");
  baseline("02", 30, "{.k = 1}");  // the newer time of these knobs
  baseline("01", 20, "{.k = 2}");
  baseline("01", 40);
  const auto found = beside_best();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].comparison.ratio, 4) << "the default first";
  EXPECT_EQ(found[1].comparison.ratio, 2);
  EXPECT_FALSE(found[1].has_rounds());
}

TEST_F(Libraries, ATimeOfAnotherModeOrBesidePredictionsHasNoRatio) {
  Trial trial = example_.measured(16, 10);
  trial.mode = "warm L2";
  store_.add_trial(trial);
  baseline("01", 20);
  EXPECT_THAT(beside_best(), IsEmpty());
  const auto found = libraries_beside(nullptr, {}, store_.baselines(), {});
  ASSERT_THAT(found, SizeIs(1)) << "but it is there";
  EXPECT_FALSE(found[0].ratio);
}

TEST_F(Libraries, TimesOfKernelsAreOfTheModeOfTheBest) {
  const Id ours = store_.add_trial(example_.measured(16, 10));
  store_.set_ranking(example_.problem, example_.board, "measured", std::vector<Ranked>{{.trial_id = ours, .rank = 1}});
  Trial other = example_.measured(32, 20);
  other.configuration_id = store_.upsert(
      Configuration{.kernel_id = store_.upsert(Kernel{.pattern = "transpose", .kernel = "copy"}), .params = "{}"});
  store_.add_trial(other);
  other.mode = "between host synchronisations";
  other.created_at = "2026-02-01T00:00:00.000Z";
  other.median_us = 5;
  store_.add_trial(other);
  std::vector<std::optional<double>> times;
  for (const Best& one : best(store_, {.arch = "sm_90", .per_kernel = true})) times.push_back(one.winner.time_us());
  EXPECT_THAT(times, ElementsAre(10, 20));
}

}  // namespace
}  // namespace warpwright::db
