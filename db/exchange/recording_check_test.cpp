// Tests of comparing predictions with a recording of another tuner.
#include "db/exchange/recording_check.hpp"

#include <gmock/gmock.h>

#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RecordingCheckTest : public testing::Test {
 protected:
  // Predicts this tile size, and records it with the time; without a time it failed there.
  void add(int tile, double predicted_us, std::optional<double> recorded_us) {
    store_.add_trial(example_.predicted(tile, predicted_us));
    record(tile, recorded_us);
  }
  void record(int tile, std::optional<double> us) {
    recording_.results.push_back({.params = {{"tile_dim", static_cast<double>(tile)}, {"vendor", "x"}},
                                  .verdict = us ? "passed" : "failed",
                                  .time_us = us});
  }
  RecordingCheck check(const Filter& filter = {}) { return check_against(store_, filter, recording_, "r.json"); }
  auto says(const char* what) { return ThrowsMessage<Error>(AllOf(HasSubstr("r.json: "), HasSubstr(what))); }

  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};
  Recording recording_{.board = "H200"};
};

TEST_F(RecordingCheckTest, LossesAreAgainstTheWholeRecordingAndCoverageIsCounted) {
  // The model swaps the two fastest. Configuration 99 was never predicted, and is the fastest of the recording.
  const std::vector<double> recorded{10, 11, 20, 30, 40, 50};
  const std::vector<double> predicted{6, 5, 10, 15, 20, 100};
  for (std::size_t i = 0; i < recorded.size(); ++i) add(static_cast<int>(i) + 1, predicted[i], recorded[i]);
  record(99, 8);
  record(98, std::nullopt);
  add(7, 3, std::nullopt);
  store_.add_trial(example_.predicted(50, 1));
  const RecordingCheck checked = check();
  EXPECT_EQ(checked.timed, 7U);
  EXPECT_EQ(checked.failed, 1U);
  EXPECT_EQ(checked.unknown, 1U);
  EXPECT_EQ(checked.check.times.size(), 6U);
  EXPECT_NEAR(*checked.check.spearman, 1 - 6.0 * 2 / (6 * 35), 1e-12);
  EXPECT_NEAR(checked.check.best_loss, 11.0 / 8 - 1, 1e-12);
  EXPECT_NEAR(checked.check.top10_loss, 10.0 / 8 - 1, 1e-12);
  EXPECT_THAT(text_of(checked),
              AllOf(HasSubstr("6 configurations, Spearman  0.94, predicted best loses 37.5 %, top 10 25.0 %"),
                    HasSubstr("85.7 % of the 7 configurations with a time in the recording"),
                    HasSubstr("1 predicted configuration failed in the recording"),
                    HasSubstr("1 predicted configuration not in the recording")));
}

TEST_F(RecordingCheckTest, PredictionsForTheRecordingsBoardComeFirst) {
  add(1, 5, 10);
  add(2, 6, 11);
  example_.board = store_.upsert(Board{.model = "NVIDIA H100", .arch = "sm_90", .sm_count = 132});
  store_.add_trial(example_.predicted(1, 500));
  EXPECT_NEAR(check().check.median_ratio, (0.5 + 6.0 / 11) / 2, 1e-12);
  recording_.board = "another board";
  EXPECT_THAT([&] { check(); }, says("a recording is of one kernel, problem and board, and these were predicted:"));
  EXPECT_NO_THROW(check({.board = "H100"}));
}

TEST_F(RecordingCheckTest, SaysWhyNothingCanBeCompared) {
  record(1, 10);
  EXPECT_THAT([&] { check(); }, says("nothing that matches was predicted: run tune with --arch and --board for the "
                                     "board of the recording (H200) first."));
  store_.add_trial(example_.predicted(2, 5));
  EXPECT_THAT([&] { check(); }, says("no predicted configuration has a time in the recording: of 1, 0 failed "
                                     "there, and 1 are not in it. Predict more of them."));
  recording_.results.push_back({.params = {{"tile_dim", 2}, {"vendor", "y"}}, .verdict = "passed", .time_us = 12});
  EXPECT_THAT([&] { check(); }, says("the recording has several values of the param 'vendor', and the kernel has no "
                                     "such param: rename it."));
}

}  // namespace
}  // namespace warpwright::db
