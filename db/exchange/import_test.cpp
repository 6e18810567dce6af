// Tests of importing recordings: what is stored, what is refused, and how imported trials rank beside measured ones.
#include "db/exchange/import.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "db/exchange/export.hpp"
#include "db/exchange/json.hpp"
#include "db/maintenance/check.hpp"
#include "db/store/fixture.hpp"
#include "kernels/core/boards.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* recorded = R"({"device_name": "NVIDIA GeForce RTX 2080 Ti", "kernel_name": "pnpoly",
  "problem_size": [4096, 16], "tune_params_keys": ["block", "way"],
  "tune_params": {"block": [32, 64], "way": ["a", "b"]}, "cache": {
  "32,a": {"block": 32, "way": "a", "time": 2.5, "times": [2.0, 3.0], "verification_time": 0,
           "timestamp": "2023-01-26 01:05:09.730633+00:00"},
  "64,a": {"block": 64, "way": "a", "time": 1.5, "times": [1.5], "verification_time": 4},
  "64,b": {"block": 64, "way": "b", "time": "CompilationFailedConfig"}}})";

class ImportTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};

  std::filesystem::path file(const std::string& text, const std::string& name = "x.json") {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string refusal(const std::string& text, const ImportOptions& options = {}) {
    const std::string said = error_of([&] { import_recording(store_, file(text), options); });
    EXPECT_THAT(said, HasSubstr("x.json: "));
    EXPECT_THAT(trials(store_, {}), IsEmpty());
    return said;
  }
};

TEST_F(ImportTest, ARecordingIsImportedOnce) {
  const Imported made = import_recording(store_, file(recorded), {});
  EXPECT_EQ(text_of(made),
            "import:pnpoly on NVIDIA GeForce RTX 2080 Ti: 2 configurations timed, 1 failed, 0 of them known");
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("no time was held against"), HasSubstr("answers of 1 of 2")));
  EXPECT_EQ(import_recording(store_, file(recorded), {}).known, 3U);
  const std::vector<TrialView> views = trials(store_, {.provenance = "imported"}, 0, Order::time);
  ASSERT_THAT(views, SizeIs(3));
  EXPECT_EQ(views[0].time_us(), 1500);
  EXPECT_EQ(views[0].params, "{.block = 64, .way = a}");
  EXPECT_EQ(views[0].certainty(), "imported, not checked");
  EXPECT_EQ(views[0].trial.verdict, "unchecked");
  EXPECT_EQ(views[0].trial.target, "sm_75");
  EXPECT_EQ(views[0].problem.shape, "4096x16");
  EXPECT_EQ(views[1].trial.created_at, "2023-01-26T01:05:09.730Z");
  EXPECT_THAT(store_.samples(views[1].trial.id).microseconds, ElementsAre(2000, 3000));
  EXPECT_EQ(views[2].trial.verdict, "not compiled");
  EXPECT_EQ(store_.boards().at(0).memory_bandwidth_gbs, 616);
  EXPECT_THAT(check(store_), IsEmpty());
}

TEST_F(ImportTest, ImportedTrialsRankLastAndAreNeverCertified) {
  import_recording(store_, file(recorded), {});
  const std::vector<Best> found = best(store_, {.arch = "sm_75"});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].winner.params, "{.block = 64, .way = a}");
  EXPECT_FALSE(found[0].exact);
  EXPECT_EQ(found[0].match, "imported, recorded on sm_75 (NVIDIA GeForce RTX 2080 Ti)");
  EXPECT_THAT(error_of([&] { store_.add_certificate({.trial_id = found[0].winner.trial.id, .cases = 200}); }),
              HasSubstr("was imported"));
  EXPECT_THAT(what_is_there(store_), Contains(HasSubstr("imported on 1 problem")));
  EXPECT_THAT(export_as(store_, "t4", {}).text, IsEmpty()) << "only what was measured here is exported as that";
  // Slower trials made here, first predicted and then measured, take precedence.
  Trial own = found[0].winner.trial;
  own.provenance = "predicted";
  own.median_us.reset();
  own.predicted_us = 9000;
  store_.add_trial(own);
  EXPECT_EQ(best(store_, {.arch = "sm_75"}).at(0).winner.trial.provenance, "predicted");
  own.provenance = "measured";
  own.verdict = "passed";
  own.median_us = 8000;
  store_.add_trial(own);
  const Best measured = best(store_, {.arch = "sm_75"}).at(0);
  EXPECT_EQ(measured.winner.trial.provenance, "measured");
  EXPECT_EQ(measured.winner.time_us(), 8000);
}

TEST_F(ImportTest, ATimeBelowTheLowerBoundRefusesTheFile) {
  // 1.5 ms at 616 GB/s are 924 MB; the L2 cache of 5632 KiB may keep its size beyond that.
  const double most = 1.5e-3 * 616e9 + 5632 * 1024;
  EXPECT_THAT(refusal(recorded, {.bytes = most * 1.001}),
              AllOf(HasSubstr("1 of 2 times are impossible, down to 1500.000 us"), HasSubstr("--bytes")));
  // 68 SMs at 1545 MHz, 256 operations per clock.
  EXPECT_THAT(refusal(recorded, {.operations = 1500.0 * 256 * 68 * 1545 * 1.001}), HasSubstr("1 of 2 times"));
  const Imported made = import_recording(store_, file(recorded), {.bytes = most * 0.999});
  EXPECT_EQ(made.timed, 2U);
  EXPECT_THAT(made.notes, SizeIs(1));
}

TEST_F(ImportTest, ATimeOfZeroIsImpossible) {
  EXPECT_THAT(refusal(R"({"device_name": "H200", "kernel_name": "k", "problem_size": 5, "tune_params": {"a": [1]},
                          "cache": {"1": {"a": 1, "time": 0}}})"),
              HasSubstr("1 of 1 times are impossible"));
}

TEST_F(ImportTest, MissingInformationIsAskedFor) {
  constexpr const char* bare = R"({"schema_version": "1.0.0", "results": [{"configuration": {"a": 1}, "times": {},
    "invalidity": "correct", "correctness": 1, "measurements": [{"name": "time", "value": 7, "unit": "us"}]}]})";
  EXPECT_THAT(refusal(bare), HasSubstr("give --board"));
  EXPECT_THAT(refusal(bare, {.board = "Odd 1"}), HasSubstr("'Odd 1' is in no table"));
  EXPECT_THAT(refusal(bare, {.board = "H200"}), HasSubstr("give --name"));
  EXPECT_THAT(refusal(bare, {.name = "k", .board = "H200"}), HasSubstr("give --size"));
  EXPECT_THAT(refusal("{}"), HasSubstr("has neither"));
  const Imported made = import_recording(store_, file(bare), {.name = "job:x/a b", .board = "H200", .shape = Shape{3}});
  EXPECT_EQ(made.pattern, "import:a_b");
  EXPECT_EQ(trials(store_, {}).at(0).time_us(), 7);
}

TEST_F(ImportTest, AnotherKernelOfThatNameKeepsItsParams) {
  import_recording(store_, file(recorded), {});
  const std::string other = file(R"({"device_name": "H200", "kernel_name": "pnpoly", "problem_size": 5,
    "tune_params": {"a": [1]}, "cache": {"1": {"a": 1, "time": 1}}})")
                                .string();
  EXPECT_THAT(error_of([&] { import_recording(store_, other, {}); }), HasSubstr("give --name"));
  EXPECT_EQ(import_recording(store_, other, {.name = "second"}).pattern, "import:second");
}

TEST_F(ImportTest, FilesAreReadPlainAndGzipped) {
  const std::string path = file(recorded).string();
  ASSERT_EQ(std::system(fmt::format("gzip -k {}", path).c_str()), 0);
  EXPECT_EQ(unpacked(path + ".gz"), recorded);
  EXPECT_EQ(unpacked(path), recorded);
  EXPECT_THAT(error_of([&] { unpacked(folder_ / "none"); }), HasSubstr("none: cannot be read"));
  EXPECT_THAT(error_of([&] { unpacked(folder_.path()); }), HasSubstr("cannot be read"));
  EXPECT_THAT(error_of([&] { unpacked(file("\x1f\x8b broken")); }), HasSubstr("gzip cannot unpack it"));
}

TEST_F(ImportTest, BoardsAreFoundWithAndWithoutTheirVendor) {
  EXPECT_EQ(known_board("NVIDIA GeForce RTX 2080 Ti")->arch, "sm_75");
  EXPECT_EQ(known_board("rtx 2080 ti")->model, "rtx 2080 ti");
  EXPECT_FALSE(known_board("RTX 2080 T"));
  EXPECT_FALSE(known_board(""));
}

// Recordings kept beside the source tree during development: see their README.
class RecordedSpaces : public ImportTest {
 protected:
  std::filesystem::path folder_of_spaces_ =
      std::filesystem::path(WARPWRIGHT_SOURCE_DIR).parent_path() / "shared/data/spaces";
  void SetUp() override {
    if (!std::filesystem::exists(folder_of_spaces_)) GTEST_SKIP() << "no recorded spaces here";
  }
};

TEST_F(RecordedSpaces, TheImpossibleRecordingIsRefusedAndTheOneOfAnotherBoardIsNot) {
  // 20 million points of two floats are read.
  const ImportOptions reads{.bytes = 160e6};
  EXPECT_THAT(
      error_of([&] { import_recording(store_, folder_of_spaces_ / "pnpoly__RTX_2080_Ti.IMPOSSIBLE.json.gz", reads); }),
      AllOf(HasSubstr("of 3734 times are impossible"), HasSubstr("down to 12.288 us")));
  EXPECT_THAT(trials(store_, {}), IsEmpty());
  const Imported made = import_recording(store_, folder_of_spaces_ / "pnpoly__RTX_3090.json.gz", reads);
  EXPECT_EQ(made.timed, 3774U);
  EXPECT_EQ(made.failed, 318U);
  EXPECT_NEAR(*best(store_, {.arch = "sm_86"}).at(0).winner.time_us(), 8714.24, 0.01);
}

}  // namespace
}  // namespace warpwright::db
