// Tests of selecting trials and of choosing best configurations.
#include "db/query/query.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "db/query/model_error.hpp"
#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::vector<std::string> params_of(const std::vector<TrialView>& views) {
  std::vector<std::string> all;
  for (const TrialView& view : views) all.push_back(view.params);
  return all;
}

class QueryTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};

  Id add(Trial trial) { return store_.add_trial(trial); }

  // The answer to a query that has exactly one.
  Best the_best(const BestQuery& query) {
    std::vector<Best> answers = best(store_, query);
    if (answers.size() != 1) throw std::runtime_error(std::to_string(answers.size()) + " answers");
    return std::move(answers.front());
  }
  std::string best_params(const BestQuery& query) { return the_best(query).winner.params; }

  Id board(const std::string& model, const std::string& arch, int sms, double bandwidth) {
    return store_.upsert(
        Board{.model = model, .arch = arch, .sm_count = sms, .memory_bandwidth_gbs = bandwidth, .source = "table: x"});
  }
};

TEST_F(QueryTest, TrialsAreFilteredByEveryField) {
  Trial failed = example_.measured(16, 1);
  failed.verdict = "failed";
  Trial sum = example_.predicted(32, 1);
  sum.problem_id = example_.problem_of("1024", "op=sum,scan=inclusive", "alpha=0.5,bins=256", "zipf");
  sum.session_id.reset();
  add(failed);
  add(sum);
  EXPECT_THAT(params_of(trials(store_, {})), SizeIs(2));
  for (const Filter& filter :
       {Filter{.verdict = "failed"}, Filter{.provenance = "measured"}, Filter{.shape = Shape{8192, 8192}},
        Filter{.settings = {{"data", "uniform"}}}, Filter{.session_id = example_.session}}) {
    EXPECT_THAT(params_of(trials(store_, filter)), ElementsAre("{.tile_dim = 16}"));
  }
  for (const Filter& filter :
       {Filter{.settings = {{"op", "sum"}}}, Filter{.settings = {{"scan", "inclusive"}}},
        Filter{.settings = {{"op", "sum"}, {"scan", "inclusive"}}}, Filter{.settings = {{"bins", "256"}}},
        Filter{.settings = {{"alpha", "0.5"}, {"data", "zipf"}}}, Filter{.shape = Shape{1024}},
        Filter{.provenance = "predicted"}, Filter{.pattern = "sum"}, Filter{.pattern = "inclusive"}}) {
    EXPECT_THAT(params_of(trials(store_, filter)), ElementsAre("{.tile_dim = 32}"));
  }
  for (const Filter& filter : {Filter{.arch = "sm_90"}, Filter{.pattern = "trans*"}, Filter{.kernel = "tile?"},
                               Filter{.types = "float"}, Filter{.board = "h200"}}) {
    EXPECT_THAT(trials(store_, filter), SizeIs(2));
  }
  for (const Filter& filter :
       {Filter{.arch = "sm_9"}, Filter{.pattern = "reduce"}, Filter{.pattern = "su"}, Filter{.kernel = "tile"},
        Filter{.types = "double"}, Filter{.board = "T4"}, Filter{.settings = {{"op", "su"}}},
        Filter{.settings = {{"p", "sum"}}}, Filter{.settings = {{"bins", "25"}}},
        Filter{.settings = {{"op", "sum"}, {"data", "uniform"}}}, Filter{.shape = Shape{4096, 16384}},
        Filter{.shape = Shape{67108864}}}) {
    EXPECT_THAT(trials(store_, filter), IsEmpty());
  }
}

TEST_F(QueryTest, TrialsComeNewestFirstUpToTheLimit) {
  for (int i = 1; i <= 3; ++i) {
    Trial trial = example_.measured(i, 1);
    trial.created_at = "2026-01-0" + std::to_string(i) + "T00:00:00.000Z";
    add(trial);
  }
  EXPECT_THAT(params_of(trials(store_, {}, 2)), ElementsAre("{.tile_dim = 3}", "{.tile_dim = 2}"));
}

TEST_F(QueryTest, TheRateIsFromTheNewestCompleteSessionOfTwentyTrials) {
  const auto session_of = [&](const char* day, int seconds, int trials, const char* how) {
    const std::string date = std::string("2026-01-") + day;
    const Id session = store_.begin_session({.started_at = date + "T10:00:00.000Z",
                                             .ended_at = date + "T10:00:" + std::to_string(seconds) + ".000Z",
                                             .ended_how = how});
    for (int i = 0; i < trials; ++i) {
      Trial trial = example_.measured(i, seconds + i);
      trial.session_id = session;
      trial.created_at = date + "T10:00:00.000Z";
      store_.add_trial(trial);
    }
  };
  EXPECT_EQ(trials_per_second(store_, "sm_90", "measured"), std::nullopt);
  session_of("01", 10, 20, "complete");
  session_of("02", 10, 40, "complete");
  session_of("03", 10, 60, "interrupted");
  session_of("04", 10, 19, "complete");
  EXPECT_NEAR(trials_per_second(store_, "sm_90", "measured").value_or(0), 4, 1e-3);
  EXPECT_EQ(trials_per_second(store_, "sm_90", "predicted"), std::nullopt);
  EXPECT_EQ(trials_per_second(store_, "sm_75", "measured"), std::nullopt);
}

TEST_F(QueryTest, ATrialIsFoundByIdAndByAPrefixOfItsIdentity) {
  const Id id = add(example_.measured(16, 1));
  const std::string identity = store_.trial(id).identity;
  ASSERT_TRUE(find(store_, std::to_string(id)));
  ASSERT_TRUE(find(store_, identity));
  EXPECT_EQ(find(store_, identity.substr(0, 12))->trial.id, id);
  EXPECT_FALSE(find(store_, "999"));
  EXPECT_FALSE(find(store_, "no hex"));
  EXPECT_FALSE(find(store_, "*"));
  EXPECT_FALSE(find(store_, identity.substr(0, 3)));
}

TEST_F(QueryTest, AnAmbiguousPrefixIsAnError) {
  add(example_.measured(16, 1));
  add(example_.measured(32, 1));
  store_.connection().execute("UPDATE trial SET identity = 'abcd' || id");
  EXPECT_THAT(error_of([&] { find(store_, "abcd"); }), HasSubstr("write more digits"));
}

TEST_F(QueryTest, TheFastestPassedTrialIsBest) {
  add(example_.measured(16, 3));
  add(example_.measured(32, 2));
  Trial wrong = example_.measured(64, 1);
  for (const char* verdict : {"failed", "mistrusted", "unchecked", "crashed", "timed out", "skipped"}) {
    wrong.verdict = verdict;
    add(wrong);
  }
  EXPECT_EQ(best_params({.arch = "sm_90"}), "{.tile_dim = 32}");
  EXPECT_THAT(best(store_, {.arch = "sm_75"}), IsEmpty());
  EXPECT_THROW(best(store_, {}), std::invalid_argument);
}

TEST_F(QueryTest, ARankingTakesPrecedenceOverMediansAndBringsItsTies) {
  const Id first = add(example_.measured(16, 3));
  const Id second = add(example_.measured(32, 2.9));
  const Id third = add(example_.measured(64, 3.5));
  store_.set_ranking(example_.problem, example_.board, "measured",
                     std::vector<Ranked>{{first, 1, true}, {second, 2, true}, {third, 3, false}});
  const Best answer = the_best({.arch = "sm_90"});
  EXPECT_EQ(answer.winner.trial.id, first);
  EXPECT_THAT(params_of(answer.tied), ElementsAre("{.tile_dim = 32}"));
}

TEST_F(QueryTest, TheNewestTrialOfAConfigurationCountsNotTheFastest) {
  Trial lucky = example_.measured(16, 1);
  add(lucky);
  Trial sober = example_.measured(16, 5);
  sober.created_at = "2026-02-01T00:00:00.000Z";
  add(sober);
  add(example_.measured(32, 3));
  EXPECT_EQ(best_params({.arch = "sm_90"}), "{.tile_dim = 32}");
}

TEST_F(QueryTest, TimesByAnotherClockAreNotCompared) {
  add(example_.measured(16, 1));
  Trial other = example_.measured(32, 9);
  other.mode = "clean cold L2, between host synchronisations";
  other.created_at = "2026-02-01T00:00:00.000Z";
  add(other);
  EXPECT_EQ(best_params({.arch = "sm_90"}), "{.tile_dim = 32}") << "the newest kind counts";
}

TEST_F(QueryTest, ATrialThatWasStoppedEarlyIsBestOnlyIfAllWere) {
  Trial stopped = example_.measured(16, 1);
  stopped.stopped_early = true;
  add(stopped);
  EXPECT_EQ(best_params({.arch = "sm_90"}), "{.tile_dim = 16}");
  add(example_.measured(32, 3));
  EXPECT_EQ(best_params({.arch = "sm_90"}), "{.tile_dim = 32}");
}

TEST_F(QueryTest, MeasuredComesBeforePredictedEvenFromAnotherBoardOrSize) {
  add(example_.predicted(16, 0.1));
  EXPECT_EQ(the_best({.arch = "sm_90"}).match, "predicted for sm_90 (NVIDIA H200)");
  EXPECT_EQ(the_best({.arch = "sm_90", .board = "H200"}).match, "predicted for this board");
  EXPECT_FALSE(the_best({.arch = "sm_90"}).exact);
  Trial small = example_.measured(32, 3);
  small.problem_id = example_.problem_of("64x64");
  add(small);
  const Best answer = the_best({.arch = "sm_90", .shape = Shape{8192, 8192}});
  EXPECT_EQ(answer.winner.trial.provenance, "measured");
  EXPECT_EQ(answer.match, "measured on sm_90 (NVIDIA H200), at the nearest size, 64x64 (asked: 8192x8192)");
}

TEST_F(QueryTest, TheMatchSaysHowTheSizeFits) {
  add(example_.measured(16, 1));
  const auto match = [&](const char* size) {
    return the_best({.arch = "sm_90", .shape = parse_shape(size), .board = "NVIDIA H200"});
  };
  EXPECT_EQ(match("8192x8192").match, "measured on this board, at the size asked for");
  EXPECT_TRUE(match("8192x8192").exact);
  EXPECT_TRUE(match("2^13x2^13").exact);
  EXPECT_EQ(match("4096x4096").match, "measured on this board, at the nearest size, 8192x8192 (asked: 4096x4096)");
  EXPECT_EQ(match("4096x16384").match, "measured on this board, at the nearest size, 8192x8192 (asked: 4096x16384)");
  EXPECT_FALSE(match("4096x16384").exact) << "as many elements are not the same size";
}

TEST_F(QueryTest, TheNearestShapeAnswersNotTheNearestNumberOfElements) {
  const auto at = [&](int tile, const char* shape) {
    Trial trial = example_.measured(tile, 1);
    trial.problem_id = example_.problem_of(shape);
    add(trial);
  };
  at(1, "1024x1024x1024");
  at(2, "4096x4096x64");
  at(3, "16x16x16");
  at(4, "1073741824");
  const auto nearest = [&](const char* shape) { return best_params({.arch = "sm_90", .shape = parse_shape(shape)}); };
  EXPECT_EQ(nearest("1024x1024x1024"), "{.tile_dim = 1}");
  EXPECT_EQ(nearest("4096x4096x64"), "{.tile_dim = 2}");
  EXPECT_EQ(nearest("2048x4096x128"), "{.tile_dim = 2}");
  EXPECT_EQ(nearest("0x0x0"), "{.tile_dim = 3}");
  EXPECT_EQ(nearest("2^30"), "{.tile_dim = 4}");
  EXPECT_EQ(nearest("1"), "{.tile_dim = 4}");
  EXPECT_THAT(best(store_, {.arch = "sm_90", .shape = parse_shape("32768x32768")}), IsEmpty())
      << "shapes of another number of extents are no answer";
  EXPECT_THAT(best(store_, {.arch = "sm_90"}), SizeIs(4)) << "without a size, one answer per shape";
}

TEST_F(QueryTest, EachValueOfAnUnspecifiedSettingGetsItsOwnAnswer) {
  int tile = 0;
  for (const char* variant : {"op=sum", "op=min"})
    for (const char* numbers : {"bins=16", "bins=256"})
      for (const char* data : {"uniform", "zipf"}) {
        ++tile;
        Trial trial = example_.measured(tile, tile);
        trial.problem_id = example_.problem_of("1024", variant, numbers, data);
        add(trial);
      }
  const auto answers = [&](const char* with) {
    return best(store_, {.arch = "sm_90", .settings = parse_settings(with), .shape = Shape{1000}}).size();
  };
  EXPECT_EQ(answers(""), 8U);
  EXPECT_EQ(answers("op=sum"), 4U);
  EXPECT_EQ(answers("bins=256,data=zipf"), 2U);
  EXPECT_EQ(answers("op=sum,bins=256,data=zipf"), 1U);
  EXPECT_EQ(answers("op=sum,bins=17"), 0U);
  EXPECT_EQ(best_params({.arch = "sm_90", .settings = parse_settings("op=min,bins=16,data=zipf")}), "{.tile_dim = 6}");
}

TEST_F(QueryTest, ForAnUnknownBoardTheNearestInBandwidthPerSmAnswers) {
  const Id near = board("RTX 2080 Ti", "sm_75", 68, 616);  // 9.06 GB/s per SM
  const Id far = board("T4", "sm_75", 40, 320);            // 8.0
  board("NVIDIA GeForce RTX 2070", "sm_75", 36, 448);      // 12.4
  int tile = 1;
  for (const Id one : {far, near}) {
    Trial trial = example_.predicted(tile++, 1);
    trial.board_id = one;
    trial.target = "sm_75";
    add(trial);
  }
  EXPECT_EQ(the_best({.arch = "sm_75", .board = "rtx 2070"}).match,
            "predicted for sm_75 (RTX 2080 Ti), the nearest board to rtx 2070 in bandwidth per SM");
  EXPECT_EQ(best_params({.arch = "sm_75", .board = "T4"}), "{.tile_dim = 1}");
  EXPECT_EQ(the_best({.arch = "sm_75", .board = "T4"}).match, "predicted for this board");
  EXPECT_EQ(best_params({.arch = "sm_75", .board = "unknown", .bandwidth_per_sm = 7.9}), "{.tile_dim = 1}");
  EXPECT_EQ(best_params({.arch = "sm_75", .board = "unknown", .bandwidth_per_sm = 30}), "{.tile_dim = 2}");
  EXPECT_THAT(the_best({.arch = "sm_75", .board = "unknown"}).match, HasSubstr("nothing is known of unknown"));
}

TEST_F(QueryTest, AModelNameIsNotMatchedByItsPrefix) {
  const Id super = board("RTX 2070 SUPER", "sm_75", 40, 448);
  Trial trial = example_.predicted(16, 1);
  trial.board_id = super;
  trial.target = "sm_75";
  add(trial);
  EXPECT_THAT(the_best({.arch = "sm_75", .board = "RTX 2070"}).match, HasSubstr("(RTX 2070 SUPER)"));
}

TEST_F(QueryTest, SpeedupIsOverTheDefaultOfTheSameKernelAndMode) {
  add(example_.measured(32, 2));
  EXPECT_EQ(the_best({.arch = "sm_90"}).speedup, std::nullopt);
  Trial reference = example_.measured(16, 5);
  reference.is_default = true;
  add(reference);
  EXPECT_EQ(the_best({.arch = "sm_90"}).default_us, 5);
  EXPECT_EQ(the_best({.arch = "sm_90"}).speedup, 2.5);
}

TEST_F(QueryTest, VariantsAndTypesGetTheirOwnAnswersAndKernelsOnRequest) {
  for (const char* variant : {"op=sum", "op=min"}) {
    Trial trial = example_.measured(16, 1);
    trial.problem_id = example_.problem_of("100", variant);
    add(trial);
    trial.configuration_id = store_.upsert(
        Configuration{.kernel_id = store_.upsert(Kernel{.pattern = "transpose", .kernel = "copy"}), .params = "{}"});
    trial.median_us = 0.5;
    add(trial);
  }
  EXPECT_THAT(best(store_, {.arch = "sm_90"}), SizeIs(2));
  EXPECT_EQ(the_best({.arch = "sm_90", .settings = {{"op", "min"}}}).winner.kernel, "copy");
  EXPECT_EQ(the_best({.arch = "sm_90", .kernel = "tiled", .settings = {{"op", "min"}}}).winner.kernel, "tiled");
  EXPECT_THAT(best(store_, {.arch = "sm_90", .per_kernel = true}), SizeIs(4));
}

TEST_F(QueryTest, CertaintyIsTheCertificateOrTheCheckInTheSimulator) {
  const Id id = add(example_.measured(16, 1));
  EXPECT_EQ(the_best({.arch = "sm_90"}).winner.certainty(), "not certified");
  store_.add_certificate({.trial_id = id, .cases = 200, .seed = 7});
  EXPECT_EQ(the_best({.arch = "sm_90"}).winner.certainty(), "certified (200 cases, seed 7)");
  Trial predicted = example_.predicted(16, 1);
  predicted.target = "sm_75";
  predicted.verdict = "passed";
  TrialView view{.trial = predicted};
  const auto certainty = [&](std::optional<int> cases, bool whole) {
    view.trial.simulated_cases = cases;
    view.trial.full_property = whole;
    return view.certainty();
  };
  EXPECT_EQ(certainty(0, false), "unchecked");
  EXPECT_EQ(certainty(1, false), "1 case");
  EXPECT_EQ(certainty(40, false), "40 cases");
  EXPECT_EQ(certainty(51, true), "the full property test, 51 cases");
  EXPECT_EQ(certainty({}, false), "several cases");
}

TEST_F(QueryTest, PredictedTimesWithinTheModelsErrorAreOneBand) {
  const double least = 100;
  const double edge = least * (1 + equal_within);
  const Id winner = add(example_.predicted(8, least));
  const Id second = add(example_.predicted(16, least));
  add(example_.predicted(32, edge));
  add(example_.predicted(64, edge * 1.001));
  store_.set_ranking(example_.problem, example_.board, "predicted", std::vector<Ranked>{{winner, 1, true}});
  const Best ranked = the_best({.arch = "sm_90"});
  EXPECT_EQ(ranked.winner.trial.id, winner);
  EXPECT_THAT(params_of(ranked.tied), ElementsAre("{.tile_dim = 16}", "{.tile_dim = 32}"));
  EXPECT_EQ(ranked.tied[0].trial.id, second);
  store_.set_ranking(example_.problem, example_.board, "predicted", {});
  EXPECT_THAT(the_best({.arch = "sm_90"}).tied, SizeIs(2)) << "whether somebody ranked them or not";
}

TEST_F(QueryTest, APredictedTrialThatWasStoredTwiceIsInItsBandOnce) {
  add(example_.predicted(8, 100));
  Trial again = example_.predicted(16, 101);
  add(again);
  again.created_at = "2026-01-02T00:00:00.000Z";
  again.simulated_cases = 51;
  add(again);
  const Best answer = the_best({.arch = "sm_90"});
  ASSERT_THAT(answer.tied, SizeIs(1));
  EXPECT_EQ(answer.tied[0].trial.simulated_cases, 51) << "the newest speaks for it";
}

TEST_F(QueryTest, ADefaultInTheBandOfTheBestGetsNoSpeedup) {
  add(example_.predicted(8, 100));
  Trial reference = example_.predicted(16, 105);
  reference.is_default = true;
  add(reference);
  EXPECT_FALSE(the_best({.arch = "sm_90"}).speedup);
  reference.predicted_us = 150;
  reference.created_at = "2026-01-02T00:00:00.000Z";
  add(reference);
  EXPECT_EQ(the_best({.arch = "sm_90"}).speedup, 1.5);
}

TEST_F(QueryTest, TrialsCanComeFastestFirst) {
  add(example_.measured(8, 3));
  add(example_.measured(16, 1));
  add(example_.predicted(32, 2));
  Trial failed = example_.measured(64, 1);
  failed.verdict = "failed";
  failed.median_us.reset();
  add(failed);
  EXPECT_THAT(params_of(trials(store_, {}, 0, Order::time)),
              ElementsAre("{.tile_dim = 16}", "{.tile_dim = 32}", "{.tile_dim = 8}", "{.tile_dim = 64}"));
  EXPECT_THAT(params_of(trials(store_, {}, 1, Order::time)), ElementsAre("{.tile_dim = 16}"));
}

TEST_F(QueryTest, ListsWhatTheDatabaseHas) {
  EXPECT_THAT(what_is_there(store_), IsEmpty());
  add(example_.measured(16, 1));
  add(example_.measured(32, 1));
  add(example_.predicted(32, 1));
  EXPECT_THAT(what_is_there(store_),
              ElementsAre("sm_90 (NVIDIA H200): transpose, 2 configurations measured on 1 problem",
                          "sm_90 (NVIDIA H200): transpose, 1 configuration predicted on 1 problem"));
}

}  // namespace
}  // namespace warpwright::db
