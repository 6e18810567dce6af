// Tests of which configuration is best over several sessions: tables of what each session measured.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "db/exchange/export.hpp"
#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A configuration in a session: its time, and its place in the final rounds (0: it was in none of them).
struct Row {
  int tile = 0;
  double us = 0;
  int rank = 0;
  bool tied = false;
  std::string mode = "clean cold L2";
};

class BestOfSessions : public testing::Test {
 protected:
  // Stores a session on a new day, with a ranking if there were final rounds.
  std::vector<Id> session(const std::vector<Row>& rows) { return session_of(example_, rows); }

  std::vector<Id> session_of(ExampleTrials& example, const std::vector<Row>& rows) {
    Store& store = example.store;
    const std::string day = fmt::format("2026-01-{:02}T00:00:00.000Z", ++days_);
    const Id session = store.begin_session({.uid = day, .started_at = day});
    std::vector<Id> ids;
    std::vector<Ranked> ranked;
    for (const Row& row : rows) {
      Trial trial = example.measured(row.tile, row.us);
      trial.session_id = session;
      trial.created_at = day;
      trial.mode = row.mode;
      ids.push_back(store.add_trial(trial));
      if (row.rank > 0) ranked.push_back({.trial_id = ids.back(), .rank = row.rank, .tied = row.tied});
    }
    if (!ranked.empty()) store.set_ranking(example.problem, example.board, "measured", ranked, day);
    return ids;
  }

  Best the_best() { return best(store_, {.arch = "sm_90"}).at(0); }
  int best_tile() {
    const std::string params = the_best().winner.params;
    return std::stoi(params.substr(params.find('=') + 1));
  }

  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  int days_ = 0;
};

TEST_F(BestOfSessions, ASlowerTimeOfALaterSessionReplacesNothing) {
  session({{.tile = 16, .us = 16.25, .rank = 1}});
  session({{.tile = 32, .us = 18.96, .rank = 1}});
  EXPECT_EQ(best_tile(), 16);
  session({{.tile = 64, .us = 15.9, .rank = 1}});
  EXPECT_EQ(best_tile(), 64);
}

TEST_F(BestOfSessions, APlanThatIsTimedAsAGraphIsComparedWithOneOnAStream) {
  session({{.tile = 16, .us = 10, .rank = 1, .mode = "clean cold L2, stream"}});
  session({{.tile = 32, .us = 50, .rank = 1, .mode = "clean cold L2, graph"}});
  EXPECT_EQ(best_tile(), 16);
  session({{.tile = 64, .us = 9, .rank = 1, .mode = "clean cold L2, graph"}});
  EXPECT_EQ(best_tile(), 64);
  session({{.tile = 32, .us = 50, .rank = 1, .mode = "warm L2, stream"}});
  EXPECT_EQ(best_tile(), 32) << "of another method the newer session counts";
}

TEST_F(BestOfSessions, WithoutFinalRoundsTooAGraphIsComparedWithAStream) {
  session({{.tile = 16, .us = 1, .mode = "clean cold L2, stream"}});
  Trial standard = store_.trial(session({{.tile = 32, .us = 9, .mode = "clean cold L2, graph"}}).front());
  standard.config_key = "again";
  standard.is_default = true;
  store_.add_trial(standard);
  EXPECT_EQ(best_tile(), 16);
  EXPECT_EQ(the_best().speedup, 9);
}

TEST_F(BestOfSessions, AQueryMayAskForEachBoard) {
  session({{.tile = 16, .us = 10}});
  example_.board = store_.upsert(Board{.model = "NVIDIA H100", .arch = "sm_90", .sm_count = 132});
  session({{.tile = 16, .us = 20}});
  EXPECT_EQ(exported(store_, {}).size(), 1U);
  EXPECT_EQ(exported(store_, {.per_board = true}).size(), 2U);
}

TEST_F(BestOfSessions, TheFastestThatIsDeterministicStandsBesideAWinnerThatIsNot) {
  session({{.tile = 16, .us = 10, .rank = 1}, {.tile = 32, .us = 11, .rank = 2}});
  EXPECT_FALSE(the_best().deterministic);
  Trial shown = example_.measured(32, 11);
  shown.deterministic = true;
  store_.add_trial(shown);
  ASSERT_TRUE(the_best().deterministic);
  EXPECT_EQ(the_best().deterministic->setting.params, "{.tile_dim = 32}");
  EXPECT_NEAR(the_best().deterministic->loss, 0.1, 1e-12);
  EXPECT_THAT(to_header(exported(store_, {})),
              AllOf(HasSubstr("struct deterministic_0 {"), HasSubstr("static constexpr double loss = 0.1")));
  EXPECT_EQ(best(store_, {.arch = "sm_90", .deterministic = true}).at(0).winner.params, "{.tile_dim = 32}");
}

TEST_F(BestOfSessions, UnderAnotherObjectiveTheLeastEnergyOrProductWinsAndTheBestTimeStays) {
  session({{.tile = 16, .us = 10, .rank = 1}, {.tile = 32, .us = 11, .rank = 2}});
  const BestQuery by_energy{.arch = "sm_90", .objective = Objective::energy};
  EXPECT_TRUE(best(store_, by_energy).empty()) << "no energy is known";
  for (const auto& [tile, us, joules] :
       {std::tuple(16, 10.0, 0.005), std::tuple(32, 11.0, 0.004), std::tuple(64, 20.0, 0.003)}) {
    Trial metered = example_.measured(tile, us);
    metered.joules = joules;
    store_.add_trial(metered);
  }
  store_.add_trial(example_.predicted(8, 1));
  const Best least = best(store_, by_energy).at(0);
  EXPECT_EQ(least.winner.params, "{.tile_dim = 64}");
  EXPECT_EQ(least.winner.energy(), "3 mJ");
  EXPECT_EQ(best(store_, {.arch = "sm_90", .objective = Objective::edp}).at(0).winner.params, "{.tile_dim = 32}");
  EXPECT_EQ(best_tile(), 16);
}

TEST_F(BestOfSessions, AQueryForAnEarlierMomentGivesWhatWasBestThen) {
  session({{.tile = 16, .us = 10, .rank = 1}, {.tile = 32, .us = 11, .rank = 2}});
  const Id wrong = session({{.tile = 32, .us = 11.1, .rank = 1}}).front();
  Trial failed = example_.measured(16, 10);
  failed.verdict = "failed";
  failed.created_at = store_.trial(wrong).created_at;
  store_.add_trial(failed);
  EXPECT_EQ(best_tile(), 32);
  const auto then = best_of_cells(store_, {.before = failed.created_at});
  ASSERT_EQ(then.size(), 1U);
  EXPECT_EQ(then[0].winner.params, "{.tile_dim = 16}");
}

TEST_F(BestOfSessions, AFasterConfigurationMeasuredWithItReplacesIt) {
  session({{.tile = 16, .us = 10, .rank = 1}});
  session({{.tile = 16, .us = 10.1, .rank = 2}, {.tile = 32, .us = 9.9, .rank = 1}});
  EXPECT_EQ(best_tile(), 32);
}

TEST_F(BestOfSessions, ATiedConfigurationDoesNotReplaceIt) {
  session({{.tile = 32, .us = 10, .rank = 1}});
  session({{.tile = 16, .us = 10.4, .rank = 1, .tied = true}, {.tile = 32, .us = 10.5, .rank = 2, .tied = true}});
  EXPECT_EQ(best_tile(), 32);
  EXPECT_EQ(the_best().winner.time_us(), 10.5) << "its newest time";
  ASSERT_EQ(the_best().tied.size(), 1U);
  EXPECT_EQ(the_best().tied[0].params, "{.tile_dim = 16}");
}

TEST_F(BestOfSessions, ALuckyOldTimeCountsOnlyUntilItIsMeasuredAgain) {
  session({{.tile = 16, .us = 8, .rank = 1}});
  session({{.tile = 32, .us = 10, .rank = 1}, {.tile = 16, .us = 11, .rank = 2}});
  EXPECT_EQ(best_tile(), 32);
  EXPECT_EQ(the_best().winner.time_us(), 10);
}

TEST_F(BestOfSessions, TimesOfASearchCountToo) {
  session({{.tile = 16, .us = 10, .rank = 1}});
  session({{.tile = 16, .us = 12}, {.tile = 32, .us = 11, .rank = 1}});
  EXPECT_EQ(best_tile(), 32) << "the session measured both";
}

TEST_F(BestOfSessions, WithoutACommonSessionTimesAreCorrectedByTheDriftOfOthers) {
  session({{.tile = 16, .us = 10, .rank = 1}, {.tile = 64, .us = 12, .rank = 2}});
  session({{.tile = 32, .us = 9.8, .rank = 1}, {.tile = 64, .us = 10.8, .rank = 2}});
  EXPECT_EQ(best_tile(), 16) << "the board is 10 % faster in the second session";
  session({{.tile = 128, .us = 10.5, .rank = 1}, {.tile = 64, .us = 13.2, .rank = 2}});
  EXPECT_EQ(best_tile(), 128) << "and 10 % slower in the third one";
}

TEST_F(BestOfSessions, TheOrderIsTransitive) {
  session({{.tile = 16, .us = 10, .rank = 1}});
  session({{.tile = 32, .us = 9, .rank = 1}, {.tile = 16, .us = 10, .rank = 2}});
  session({{.tile = 16, .us = 8.8, .rank = 1}, {.tile = 64, .us = 9.1, .rank = 2}});
  EXPECT_EQ(best_tile(), 32) << "it is faster than 16, which took 12 % less time on that day";
}

TEST_F(BestOfSessions, ATimeWithinTheIntervalReplacesNothing) {
  session({{.tile = 16, .us = 10, .rank = 1}});
  Trial trial = example_.measured(32, 9.95);
  trial.low_us = 9.8;
  trial.high_us = 10.05;
  trial.created_at = "2026-02-01T00:00:00.000Z";
  trial.session_id = store_.begin_session({.uid = "later"});
  const Id later = store_.add_trial(trial);
  store_.set_ranking(example_.problem, example_.board, "measured", std::vector<Ranked>{{.trial_id = later, .rank = 1}});
  EXPECT_EQ(best_tile(), 16);
}

TEST_F(BestOfSessions, AConfigurationFoundWrongLaterIsNotBest) {
  session({{.tile = 16, .us = 10, .rank = 1}});
  session({{.tile = 32, .us = 12, .rank = 1}});
  EXPECT_EQ(best_tile(), 16);
  Trial wrong = example_.measured(16, 0);
  wrong.median_us.reset();
  wrong.verdict = "failed";
  wrong.created_at = "2026-02-01T00:00:00.000Z";
  store_.add_trial(wrong);
  EXPECT_EQ(best_tile(), 32);
}

TEST_F(BestOfSessions, ASessionWithoutFinalRoundsCountsOnlyIfNoneHasThem) {
  session({{.tile = 16, .us = 10}});
  session({{.tile = 32, .us = 9}});
  EXPECT_EQ(best_tile(), 32);
  session({{.tile = 64, .us = 12, .rank = 1}});
  EXPECT_EQ(best_tile(), 64);
}

TEST_F(BestOfSessions, ACertificateNamesTheWinnerOfASessionWhoseRankingIsGone) {
  const std::vector<Id> first = session({{.tile = 16, .us = 9}, {.tile = 32, .us = 10}});
  store_.add_certificate({.trial_id = first[1], .cases = 200});
  session({{.tile = 64, .us = 11, .rank = 1}});
  EXPECT_EQ(best_tile(), 32);
}

TEST_F(BestOfSessions, TheBestIsCertifiedIfItsProgramWasInAnySession) {
  const std::vector<Id> first = session({{.tile = 32, .us = 10, .rank = 1}});
  store_.add_certificate({.trial_id = first[0], .cases = 200});
  session({{.tile = 16, .us = 10, .rank = 1, .tied = true}, {.tile = 32, .us = 10, .rank = 2, .tied = true}});
  EXPECT_EQ(best_tile(), 32);
  EXPECT_EQ(the_best().winner.short_certainty(), "certified");
}

TEST_F(BestOfSessions, MergingKeepsTheRankingOfEachSession) {
  Store other{folder_ / "b.db"};
  session({{.tile = 16, .us = 10, .rank = 1}});
  ExampleTrials in_other{other};
  session_of(in_other, {{.tile = 32, .us = 12, .rank = 1}});
  merge(other, store_.path());
  merge(store_, other.path());
  EXPECT_EQ(best_tile(), 16);
  EXPECT_EQ(best(other, {.arch = "sm_90"}).at(0).winner.params, "{.tile_dim = 16}");
  EXPECT_TRUE(check(store_).empty());
}

TEST_F(BestOfSessions, PredictionsAreComparedUnderOneModelOnly) {
  const auto predict = [&](int tile, double us, const char* model, int day) {
    Trial trial = example_.predicted(tile, us);
    trial.mode = model;
    trial.created_at = fmt::format("2026-01-{:02}T00:00:00.000Z", day);
    const Id id = store_.add_trial(trial);
    store_.set_ranking(example_.problem, example_.board, "predicted", std::vector<Ranked>{{.trial_id = id, .rank = 1}});
  };
  predict(16, 21.40, "model 4", 1);
  predict(32, 23.52, "model 4", 2);
  EXPECT_EQ(best_tile(), 16);
  predict(64, 30, "model 5", 3);
  EXPECT_EQ(best_tile(), 64);
  predict(16, 60, "model 5", 4);
  EXPECT_EQ(best_tile(), 64);
  predict(16, 29, "model 5", 5);
  EXPECT_EQ(best_tile(), 16);
}

}  // namespace
}  // namespace warpwright::db
