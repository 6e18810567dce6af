// Tests of what `tunedb trials` prints, and of what `tunedb best` asks for.
#include "db/exchange/trials_table.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "db/exchange/print.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class TrialsTable : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_ = new_store(folder_ / "a.db");
  ExampleTrials example_{store_};

  TrialsTable() {
    store_.add_trial(example_.measured(16, 25));
    store_.add_trial(example_.measured(32, 12.5));
    Trial trial = example_.measured(64, 50);
    trial.verdict = "failed";
    trial.detail = "race: store of 4 bytes at byte 0 of shared array 'tile', which another thread reads\nsecond line";
    store_.add_trial(trial);
  }

  std::string text(std::size_t width) {
    const std::vector<TrialView> all = trials(store_, {});
    return trials_table(all).text({.width = width}) + trial_notes(all, {.width = width});
  }
  // Runs the program and returns standard output and standard error.
  std::string run(const std::string& arguments, int code) {
    const std::string command = WARPWRIGHT_BINARY_DIR "/bin/tunedb " + arguments + " --db " +
                                (folder_ / "a.db").string() + " > " + (folder_ / "out").string() + " 2>&1";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), code) << arguments;
    return bytes_of(folder_ / "out");
  }
};

TEST_F(TrialsTable, FitsAHundredColumns) {
  EXPECT_LE(longest_line(text(100)), 100U) << text(100);
  EXPECT_THAT(text(100), AllOf(HasSubstr("ID  KERNEL"), HasSubstr("12.5 us  not certified  tile_dim=32\n"),
                               HasSubstr("50.0 us  failed"), HasSubstr("Trial 3: race: store of 4 bytes"),
                               Not(HasSubstr("second"))));
  EXPECT_GT(longest_line(text_table(trials(store_, {}))), 120U) << "-v has everything";
}

TEST_F(TrialsTable, EnergyAndAccuracyAreVerboseColumnsIfOneIsKnown) {
  EXPECT_THAT(text_table(trials(store_, {})), AllOf(Not(HasSubstr("ENERGY")), Not(HasSubstr("ACCURACY"))));
  Trial trial = example_.measured(128, 50);
  trial.joules = 0.0123;
  store_.add_trial(trial);
  EXPECT_THAT(text_table(trials(store_, {})), AllOf(HasSubstr("12.3 mJ"), Not(HasSubstr("ACCURACY"))));
}

TEST_F(TrialsTable, ASheetHasTheSettings) {
  example_.problem = example_.problem_of("8x8", "op=sum", "bins=4");
  const Id id = store_.add_trial(example_.measured(16, 25));
  EXPECT_THAT(sheet_of(store_, *find(store_, std::to_string(id)), {.width = 0}),
              HasSubstr("op=sum,bins=4,data=uniform\n"));
}

TEST_F(TrialsTable, FitsAHundredColumnsWithLongNames) {
  example_.kernel = store_.upsert(Kernel{.pattern = "image_histogram", .kernel = "warp_aggregated_privatised_tiles"});
  const std::string settings = "bins=4096,tile_x=64,tile_y=64";
  Trial trial = example_.measured(128, 1e6);
  trial.problem_id = example_.problem_of("16384x16384", "", settings);
  trial.verdict = "failed";
  for (int word = 0; word < 50; ++word) trial.detail += " words";
  store_.add_trial(trial);
  EXPECT_LE(longest_line(text(100)), 100U) << text(100);
}

TEST_F(TrialsTable, SaysHowManyTrialsAreNotShown) {
  EXPECT_EQ(count_of(store_, {}), 3);
  EXPECT_EQ(count_of(store_, {.verdict = "failed"}), 1);
  EXPECT_THAT(what_is_left_out(3, 3, false, false), IsEmpty());
  EXPECT_EQ(what_is_left_out(20, 1490, false, false),
            "20 of 1,490 trials, the newest first. All of them: --limit 0. The fastest: --top 20. All columns: -v.\n");
  EXPECT_EQ(what_is_left_out(2, 3, true, true), "2 of 3 trials, the fastest first. All of them: --limit 0.\n");
}

TEST_F(TrialsTable, TopShowsTheFastestAndLimitTheNewest) {
  const std::string fastest = run("trials --verdict passed --top 1", 0);
  EXPECT_THAT(fastest, AllOf(HasSubstr("tile_dim=32"), Not(HasSubstr("tile_dim=16"))));
  const std::string newest = run("trials --limit 1", 0);
  EXPECT_THAT(newest, AllOf(HasSubstr("tile_dim=64"), Not(HasSubstr("tile_dim=32"))));
}

TEST_F(TrialsTable, TheVerdictNotModelledHasAnOlderName) {
  Trial trial = example_.measured(128, 1);
  trial.verdict = "not modelled";
  store_.add_trial(trial);
  for (const char* word : {"not modelled", "not judged"})
    EXPECT_THAT(run(std::string("trials --verdict '") + word + "'", 0),
                AllOf(HasSubstr("tile_dim=128"), HasSubstr("not modelled"), Not(HasSubstr("tile_dim=16"))));
}

TEST_F(TrialsTable, BestWithoutAnArchitectureListsThoseInTheFile) {
  EXPECT_THAT(run("best", 2), AllOf(StartsWith("tunedb: for which architecture? "), HasSubstr("a.db has sm_90: "),
                                    HasSubstr("tunedb best --arch sm_90")));
  EXPECT_THAT(question_for_arch(new_store(folder_ / "empty.db")), HasSubstr("holds none yet"));
}

TEST_F(TrialsTable, ASheetSaysIfAProgramIsNamedAfterOtherParams) {
  Trial trial = example_.measured(8, 5);
  const auto sheet_with = [&](const std::string& entry) {
    trial.identity.clear();
    trial.created_at = "2026-01-02T00:00:00.00" + std::to_string(entry.size() % 10) + "Z";
    const Launch launch{.entry = entry, .grid_blocks = 1, .block_threads = 32};
    const Id id = store_.add_trial(trial, std::vector<double>{}, std::vector<double>{}, std::vector{launch});
    return sheet_of(store_, *find(store_, std::to_string(id)), {.width = 0});
  };
  EXPECT_THAT(sheet_with("tiled<tiled_params{.tile_dim = 16}>"), HasSubstr("shared with other params"));
  EXPECT_THAT(sheet_with("tiled<tiled_params{.tile_dim = 8}>"), Not(HasSubstr("shared with other params")));
  EXPECT_THAT(sheet_with("finish<float>"), Not(HasSubstr("shared with other params")));
}

}  // namespace
}  // namespace warpwright::db
