// Tests of the table of best configurations and of the share searched.
#include "db/exchange/best_table.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "db/maintenance/check.hpp"
#include "db/store/fixture.hpp"
#include "kernels/core/warnings.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class BestTable : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_ = new_store(folder_ / "a.db");
  ExampleTrials example_{store_};

  void has_space(std::int64_t configurations) {
    store_.put_space({.problem_id = example_.problem,
                      .board_id = example_.board,
                      .kernel_id = example_.kernel,
                      .configurations = configurations});
  }
  Searched measured() { return searched(store_, example_.problem, example_.board, "measured"); }
  std::vector<Best> all(const std::string& arch = "sm_90") { return best(store_, {.arch = arch}); }
  // A measured best that was searched for, certified and compared with two libraries.
  void tune() {
    has_space(200);
    Trial trial = example_.measured(16, 25);
    trial.is_default = true;
    store_.add_trial(trial);
    const Id winner = store_.add_trial(example_.measured(32, 12.5));
    store_.add_certificate({.trial_id = winner, .cases = 200, .seed = 7});
    for (const auto& [name, ratio] : {std::pair("slow", 2.0), std::pair("fast", 0.95)}) {
      const Id library = store_.add_baseline({.implementation = name,
                                              .idiom = "copy",
                                              .problem_id = example_.problem,
                                              .board_id = example_.board,
                                              .verdict = "passed",
                                              .median_us = 12.5 * ratio});
      store_.add_comparison({.trial_id = winner, .baseline_id = library, .rounds = 30, .ratio = ratio});
    }
  }
};

TEST_F(BestTable, SearchedCountsDifferentConfigurationsOfAllSessions) {
  has_space(10);
  EXPECT_EQ(measured().evaluated, 0);
  EXPECT_EQ(measured().text(), "0 %");
  Trial trial = example_.measured(16, 25);
  trial.is_default = true;
  store_.add_trial(trial);
  EXPECT_EQ(measured().text(), "default only");
  trial.created_at = "2026-01-02T00:00:00.000Z";
  store_.add_trial(trial);
  EXPECT_EQ(measured().evaluated, 1) << "the same once more";
  trial = example_.measured(32, 20);
  trial.session_id = store_.begin_session(Session{.uid = "session-2"});
  trial.verdict = "failed";
  store_.add_trial(trial);
  EXPECT_EQ(measured().evaluated, 2) << "what is wrong was evaluated";
  EXPECT_EQ(measured().text(), "20 %");
  trial = example_.measured(64, 20);
  trial.verdict = "skipped";
  store_.add_trial(trial);
  store_.add_trial(example_.predicted(8, 20));
  EXPECT_EQ(measured().evaluated, 2) << "neither skipped nor predicted";
  EXPECT_EQ(searched(store_, example_.problem, example_.board, "predicted").evaluated, 1);
}

TEST_F(BestTable, SearchedIsOverAllKernelsOfTheProblem) {
  has_space(4);
  const Id other = store_.upsert(Kernel{.pattern = "transpose", .kernel = "naive"});
  store_.put_space(
      {.problem_id = example_.problem, .board_id = example_.board, .kernel_id = other, .configurations = 6});
  for (const int tile : {8, 16, 32, 64, 128}) store_.add_trial(example_.measured(tile, tile));
  EXPECT_EQ(measured().evaluated, 4) << "the space of a kernel may have shrunk since";
  EXPECT_EQ(measured().configurations, 10);
  EXPECT_EQ(measured().in_words(), "4 of 10 configurations (40 %, 1 kernel left)");
  has_space(5);
  EXPECT_EQ(measured().in_words(), "5 of 11 configurations (45 %, 1 kernel left)") << "it is replaced";
}

TEST_F(BestTable, SearchedIsUnknownForOlderFilesAndForgottenWithItsTrials) {
  store_.add_trial(example_.measured(32, 20));
  EXPECT_EQ(measured().text(), "-");
  EXPECT_FALSE(measured().share());
  EXPECT_THAT(measured().in_words(), HasSubstr("1 configuration, of how many is not known"));
  has_space(7);
  EXPECT_EQ(measured().configurations, 7);
  EXPECT_EQ(forget(store_, {}), 1);
  EXPECT_EQ(measured().configurations, 0);
}

TEST_F(BestTable, SharesAreRoundedDownSoThatOnlyAllIsHundredPercent) {
  EXPECT_EQ((Searched{.evaluated = 9999, .configurations = 10000}).text(), "99 %");
  EXPECT_EQ((Searched{.evaluated = 10000, .configurations = 10000}).text(), "100 %");
  EXPECT_EQ((Searched{.evaluated = 1, .configurations = 1, .only_defaults = true}).text(), "100 %");
  EXPECT_EQ((Searched{.evaluated = 29, .configurations = 10000}).text(), "0.2 %");
  EXPECT_EQ((Searched{.evaluated = 1, .configurations = 10000}).text(), "< 0.1 %");
  EXPECT_EQ((Searched{.evaluated = 29, .configurations = 10000, .kernels_left = 2}).text(), "2 kernels left");
}

TEST_F(BestTable, SearchedIsMergedWithItsProblem) {
  tune();
  Store merged = new_store(folder_ / "merged.db");
  merge(merged, folder_ / "a.db");
  EXPECT_EQ(best(merged, {.arch = "sm_90"}).at(0).searched.configurations, 200);
}

TEST_F(BestTable, HasARowForEachProblem) {
  tune();
  EXPECT_EQ(
      best_table(all()).text({.width = 0}),
      "PATTERN    PROBLEM                        KERNEL     TIME  OF CEILING  DEFAULT  LIBRARY  CERTAINTY  SEARCHED\n"
      "transpose  8192x8192 float, data=uniform  tiled   12.5 us  -             2.00x     0.95  certified       1 %\n");
}

TEST_F(BestTable, OneConfigurationForAllSizesIsOfOneBoard) {
  const auto measure = [&](const char* shape) {
    example_.problem = example_.problem_of(shape);
    store_.add_trial(example_.measured(16, 25));
  };
  measure("64x64");
  measure("128x128");
  example_.board = store_.upsert(Board{.model = "NVIDIA H100", .arch = "sm_90", .sm_count = 132});
  measure("256x256");
  measure("512x512");
  const std::string notes = best_notes(all(), {.width = 0});
  EXPECT_THAT(notes, HasSubstr("for 2 sizes of transpose float, data=uniform on NVIDIA H100: tiled {.tile_dim = 16} "
                               "loses 0.0 % at 256x256, 0.0 % at 512x512;"));
  EXPECT_THAT(notes, HasSubstr("on NVIDIA H200: tiled {.tile_dim = 16} loses 0.0 % at 64x64, 0.0 % at 128x128;"));
}

TEST_F(BestTable, TimesInAGraphAreAColumnIfAWinnerHasOne) {
  store_.add_trial(example_.measured(16, 9.5));
  EXPECT_THAT(best_text(all(), false, {.width = 0}), Not(HasSubstr("IN A GRAPH")));
  Trial trial = example_.measured(32, 8.5);
  trial.replay_us = 2.75;
  store_.add_trial(trial);
  EXPECT_THAT(best_table(all()).text({.width = 100}),
              AllOf(HasSubstr("TIME  IN A GRAPH  "), HasSubstr("  8.50 us     2.75 us  ")));
}

TEST_F(BestTable, EnergyIsAColumnIfItIsTheObjectiveAndAccuracyIfItIsVerboseAndFits) {
  Trial trial = example_.measured(16, 25);
  trial.relative_error = 1e-7;
  trial.error_ulp = 1.25;
  trial.joules = 0.0123;
  trial.replay_us = 24.5;
  store_.add_trial(trial);
  EXPECT_THAT(best_text(all(), false, {.width = 0}), Not(HasSubstr("ENERGY")));
  const std::string wide = best_text(all(), true, {.width = 0});
  EXPECT_THAT(wide, AllOf(HasSubstr("SEARCHED  ACCURACY\n"), HasSubstr("  7.0 digits, 1.25 ulp\n")));
  EXPECT_THAT(wide, AllOf(HasSubstr("energy     12.3 mJ a run"), HasSubstr("replay     24.50 us a run in a graph")));
  const std::string narrow = best_table(all(), true).text({.width = 60});
  EXPECT_THAT(narrow.substr(0, narrow.find('\n')), Not(HasSubstr("ACCURACY")));
  const auto by_energy = best(store_, {.arch = "sm_90", .objective = Objective::energy});
  EXPECT_THAT(best_table(by_energy).text({.width = 80}), AllOf(HasSubstr(" ENERGY "), HasSubstr(" 12.3 mJ ")));
  const auto row = nlohmann::json::parse(best_table(all()).json()).at(0);
  EXPECT_EQ(row.at("joules"), 0.0123);
  EXPECT_EQ(row.at("replay_us"), 24.5);
}

TEST_F(BestTable, NamesProblemsByTheirTitles) {
  store_.upsert(Problem{
      .pattern = "transpose", .types = "float", .shape = "8192x8192", .bytes_read = 1, .title = "8192x8192 float"});
  tune();
  EXPECT_THAT(best_table(all()).text({.width = 0}), HasSubstr("transpose  8192x8192 float  tiled"));
  EXPECT_EQ(title_of(all()[0].winner.problem), "transpose 8192x8192 float");
}

TEST_F(BestTable, ComparesTimesWithTheMeasuredCeilingElseWithThePeakOfTheBoard) {
  store_.upsert(Problem{.pattern = "transpose",
                        .types = "float",
                        .shape = "8192x8192",
                        .bytes_read = 24000000,
                        .bytes_written = 24000000});
  tune();
  EXPECT_THAT(best_table(all()).text({.width = 0}), HasSubstr("80 % copy")) << "of 4800 GB/s";
  Session session = store_.session(example_.session);
  session.copy_gbs = 4000;
  store_.update_session(example_.session, session);
  EXPECT_THAT(best_table(all()).text({.width = 0}), HasSubstr("95 % copy")) << "a library copies at 4042 GB/s";
  EXPECT_THAT(best_details(all(), {.width = 0}), HasSubstr("95.0 % of the ceiling (copy, 4042 GB/s)"));
}

TEST_F(BestTable, MarksPredictionsAndThatNothingWasSearched) {
  has_space(200);
  Trial trial = example_.predicted(16, 9.5);
  trial.is_default = true;
  store_.add_trial(trial);
  EXPECT_THAT(best_table(all()).text({.width = 100}),
              AllOf(HasSubstr("9.50 us"), HasSubstr("predicted, unchecked"), HasSubstr("default only")));
  trial = example_.predicted(32, 9);
  trial.verdict = "passed";
  trial.simulated_cases = 6;
  store_.add_trial(trial);
  EXPECT_THAT(best_table(all()).text({.width = 100}), AllOf(HasSubstr("predicted, 6 cases"), HasSubstr("  1 %")));
  trial = example_.predicted(64, 8);
  trial.verdict = "passed";
  trial.simulated_cases = 51;
  trial.full_property = true;
  store_.add_trial(trial);
  EXPECT_THAT(best_table(all()).text({.width = 100}), HasSubstr("predicted, checked"));
}

TEST_F(BestTable, FitsAHundredColumnsWhateverTheNames) {
  example_.kernel = store_.upsert(Kernel{.pattern = "image_histogram", .kernel = "warp_aggregated_privatised_tiles"});
  example_.problem = store_.upsert(Problem{.pattern = "image_histogram",
                                           .numbers = "bins=4096,tile_x=64,tile_y=64",
                                           .types = "unsigned short",
                                           .shape = "16384x16384",
                                           .operations = 1e9,
                                           .arithmetic = "double"});
  tune();
  for (const std::size_t width : {100U, 120U, 200U}) {
    const std::string text = best_text(all(), false, {.width = width});
    EXPECT_LE(longest_line(text), width) << text;
    EXPECT_THAT(text, Not(HasSubstr("Not shown"))) << text;
  }
  EXPECT_LE(longest_line(best_text(all(), false, {.width = 80})), 80U) << best_text(all(), false, {.width = 80});
}

TEST_F(BestTable, DetailsHaveParamsIntervalsTiesAndLibraries) {
  tune();
  const std::string text = best_text(all(), true, {.width = 100});
  for (const char* part : {"transpose 8192x8192 float, data=uniform\n", "transpose/tiled {.tile_dim = 32}", "12.50 us",
                           "2.00 times as fast as the kernel's default (25.0 us)", "certified (200 cases, seed 7)",
                           "2 of 200 configurations (1 %)", "measured on sm_90 (NVIDIA H200)", "tunedb show 2",
                           "fast/copy tuned", "ours is 0.950 x as fast"})
    EXPECT_THAT(text, HasSubstr(part)) << text;
  EXPECT_THAT(best_text(all(), false, {.width = 100}), Not(HasSubstr(".tile_dim")));
}

TEST_F(BestTable, IsAlsoDataWithParams) {
  tune();
  const auto json = nlohmann::json::parse(best_table(all()).json());
  ASSERT_THAT(json, SizeIs(1));
  EXPECT_EQ(json[0]["params"], "{.tile_dim = 32}");
  EXPECT_EQ(json[0]["time_us"], 12.5);
  EXPECT_EQ(json[0]["share_searched"], 0.01);
  EXPECT_EQ(json[0]["fastest_library"], "fast/copy");
  EXPECT_EQ(json[0]["certainty"], "certified (200 cases, seed 7)");
  EXPECT_THAT(best_table(all()).csv(), AllOf(HasSubstr("\r\ntranspose,"), HasSubstr(",{.tile_dim = 32},sm_90,")));
}

TEST_F(BestTable, NotesHaveUntimedStepsOfAWholePatternOnlyIfVerbose) {
  tune();
  std::vector<Best> one = all();
  const std::string untimed = untimed_warning(Warning::Kind::untimed_by_pattern, "memset overflow").text;
  one[0].winner.trial.warnings = untimed;
  EXPECT_THAT(best_notes(one, {.width = 0}), IsEmpty());
  EXPECT_THAT(best_notes(one, {.width = 0}, true), HasSubstr(untimed));
  one[0].winner.trial.warnings = "3 samples at a reduced clock; " + untimed + "; not in the time: copy in";
  EXPECT_THAT(best_notes(one, {.width = 0}), HasSubstr(": 3 samples at a reduced clock; not in the time: copy in\n"));
}

TEST_F(BestTable, NotesSayWhereTheAnswerDiffersFromTheQuery) {
  tune();
  EXPECT_THAT(best_notes(all(), {.width = 100}), IsEmpty());
  std::vector<Best> two = all();
  two.push_back(two.front());
  two.back().winner.board = Board{.model = "other"};
  EXPECT_THAT(best_notes(two, {.width = 0}), AllOf(HasSubstr("several boards: "), HasSubstr("1 problem on other")));
  const auto near = best(store_, {.arch = "sm_90", .shape = Shape{4096, 4096}});
  EXPECT_THAT(best_notes(near, {.width = 0}), HasSubstr("at the nearest size, 8192x8192 (asked: 4096x4096)"));
}

}  // namespace
}  // namespace warpwright::db
