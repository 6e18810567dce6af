// Tests of the choice among predictions that are equal within the model's error.
#include <gmock/gmock.h>

#include <cmath>

#include "db/exchange/best_table.hpp"
#include "db/query/predicted_ranking.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class EqualPredictions : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  Id large_ = example_.problem_of("4096x4096");
  Id other_board_ = store_.upsert(Board{.model = "Other", .arch = "sm_80", .sm_count = 10});

  Id predict(int tile, double us, bool full_property = false) {
    Trial trial = example_.predicted(tile, us);
    trial.verdict = "passed";
    trial.simulated_cases = full_property ? 51 : 1;
    trial.full_property = full_property;
    return store_.add_trial(trial);
  }
  void measure(int tile, double us, Id problem, Id board) {
    Trial trial = example_.measured(tile, us);
    trial.problem_id = problem;
    trial.board_id = board;
    if (board == other_board_) trial.target = "sm_80";
    store_.add_trial(trial);
  }
  void predict_at(int tile, double us, Id problem) {
    Trial trial = example_.predicted(tile, us);
    trial.problem_id = problem;
    store_.add_trial(trial);
  }
  Best answer() {
    for (Best& one : best(store_, {.arch = "sm_90"}))
      if (one.winner.trial.problem_id == example_.problem) return one;
    throw Error("no answer");
  }
  std::string best_params() { return answer().winner.params; }
};

TEST_F(EqualPredictions, AreRepresentedByTheFastestIfNothingElseIsKnown) {
  predict(8, 100);
  predict(16, 102);
  const Best one = answer();
  EXPECT_EQ(one.winner.params, "{.tile_dim = 8}");
  EXPECT_THAT(one.tied, SizeIs(1));
  EXPECT_THAT(best_details({one}, {.width = 0}),
              HasSubstr("1 more of tiled within the model's error, from 100 us to 102 us; no other size or board is "
                        "in the database to choose by\n"));
  EXPECT_THAT(best_notes({one}, {.width = 0}),
              HasSubstr("as fast as the best within the model's error: 1 of transpose"));
  predict(32, 1);
  EXPECT_THAT(best_notes({answer()}, {.width = 0}), StartsWith("Eight of ten measured times")) << "it has no equals";
}

TEST_F(EqualPredictions, AreRepresentedByTheOneThatLosesLeastElsewhere) {
  predict(8, 100);
  predict(16, 102);
  predict(32, 101);
  predict(64, 1000);
  measure(8, 30, large_, example_.board);
  measure(16, 22, large_, example_.board);
  measure(32, 21, large_, example_.board);
  measure(64, 20, large_, example_.board);
  EXPECT_EQ(best_params(), "{.tile_dim = 32}");
  measure(16, 10, example_.problem, other_board_);
  measure(32, 15, example_.problem, other_board_);
  const Best one = answer();
  EXPECT_EQ(one.winner.params, "{.tile_dim = 16}") << "8 was not evaluated there, and loses as much as is usual";
  ASSERT_TRUE(one.robust);
  EXPECT_EQ(one.robust->sizes, 1U);
  EXPECT_EQ(one.robust->boards, 1U);
  EXPECT_NEAR(one.robust->loss, std::sqrt(1.1) - 1, 1e-12);
  EXPECT_THAT(best_details({one}, {.width = 0}),
              HasSubstr("of all these it loses least at 1 other size and on 1 other board: 4.9 % on average\n"));
  EXPECT_EQ(one.tied.front().params, "{.tile_dim = 8}") << "the fastest of the others";
}

TEST_F(EqualPredictions, LoseNothingWherePredictedTimesAreEqualToo) {
  predict(8, 100);
  predict(16, 102);
  predict_at(8, 50, large_);
  predict_at(16, 49, large_);
  EXPECT_EQ(best_params(), "{.tile_dim = 8}");
}

TEST_F(EqualPredictions, AreRepresentedByOneWhoseFullPropertyPassed) {
  predict(8, 100);
  predict(16, 102, true);
  EXPECT_EQ(best_params(), "{.tile_dim = 16}");
  predict(32, 10);
  EXPECT_EQ(best_params(), "{.tile_dim = 32}") << "only equals are compared so";
}

TEST_F(EqualPredictions, AreRankedAsTheyArePreferred) {
  const Id fast = predict(8, 100), robust = predict(16, 102), slow = predict(64, 1000);
  measure(8, 30, large_, example_.board);
  measure(16, 20, large_, example_.board);
  std::vector<Trial> trials{store_.trial(fast), store_.trial(robust), store_.trial(slow)};
  const std::vector<const Trial*> fastest_first{trials.data(), &trials[1], &trials[2]};
  EXPECT_EQ(preferred_prediction(store_, fastest_first)->id, robust);
  const std::vector<Ranked> ranked = ranked_predictions(store_, trials);
  ASSERT_THAT(ranked, SizeIs(3));
  EXPECT_EQ(ranked[0].trial_id, robust);
  EXPECT_EQ(ranked[1].trial_id, fast);
  EXPECT_TRUE(ranked[1].tied);
  EXPECT_FALSE(ranked[2].tied);
  trials[0].full_property = true;
  EXPECT_EQ(ranked_predictions(store_, trials)[0].trial_id, fast) << "what was checked comes before what was not";
}

}  // namespace
}  // namespace warpwright::db
