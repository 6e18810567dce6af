// Tests of recordings and of defines: what is exported reads back as what was measured.
#include "db/exchange/recording.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "db/exchange/export.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pointwise;
using testing::SizeIs;

class RecordingTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Store store_{folder_ / "a.db"};
  ExampleTrials example_{store_};

  // Adds a kernel with an axis that has labels, and one trial of it.
  Id add(int tile, const char* order, const char* verdict, double us, const std::vector<double>& samples = {}) {
    const Id kernel = store_.upsert(
        Kernel{.pattern = "job:scale", .kernel = "scaled", .axes = R"([{"name": "tile", "values": [8, 16]},
                           {"name": "order", "values": [0, 1], "labels": ["rows", "columns"]}])"});
    Trial trial = example_.measured(1, us);
    trial.configuration_id =
        store_.upsert(Configuration{.kernel_id = kernel,
                                    .params = fmt::format("{{.tile = {}, .order = {}}}", tile, order),
                                    .params_json = fmt::format(R"({{"order": "{}", "tile": {}}})", order, tile)});
    trial.problem_id = store_.upsert(Problem{.pattern = "job:scale", .types = "float", .shape = "64x32"});
    trial.verdict = verdict;
    if (trial.verdict != "passed") trial.median_us.reset();
    return store_.add_trial(trial, samples);
  }
  Recording recorded() { return recording_of(store_, {.pattern = "job:scale"}).value(); }
  Best best_of(const char* glob) { return exported(store_, {.pattern = glob}).at(0); }
};

// Compares what both formats must preserve.
void expect_same(const Recording& was, const Recording& is) {
  EXPECT_EQ(is.board, was.board);
  EXPECT_EQ(is.kernel, was.kernel);
  EXPECT_EQ(is.shape, was.shape);
  ASSERT_EQ(is.results.size(), was.results.size());
  for (std::size_t i = 0; i < was.results.size(); ++i) {
    const Recorded& a = was.results[i];
    const Recorded& b = is.results[i];
    EXPECT_EQ(b.params.dump(), a.params.dump());
    EXPECT_EQ(b.created_at, a.created_at);
    ASSERT_EQ(b.time_us.has_value(), a.time_us.has_value());
    EXPECT_DOUBLE_EQ(b.time_us.value_or(0), a.time_us.value_or(0));
    EXPECT_THAT(b.samples_us, Pointwise(DoubleNear(1e-9), a.samples_us));
  }
}

TEST_F(RecordingTest, BothFormatsBringBackWhatWasMeasured) {
  add(8, "rows", "passed", 12.5, {12, 12.5, 13.25});
  add(16, "rows", "failed", 1);
  add(8, "columns", "not compiled", 1);
  add(16, "columns", "rejected", 1);
  const Recording was = recorded();
  EXPECT_EQ(was.kernel, "job:scale/scaled");
  EXPECT_EQ(was.shape, (Shape{64, 32}));
  ASSERT_THAT(was.results, SizeIs(4));
  const Recording t4 = read_recording(to_t4(was), "a.json");
  const Recording cache = read_recording(to_kernel_tuner(was), "a.json");
  expect_same(was, t4);
  expect_same(was, cache);
  EXPECT_EQ(cache.params.dump(), R"({"tile":[8,16],"order":["rows","columns"]})");
  for (std::size_t i = 0; i < was.results.size(); ++i) {
    // Another tuner's correct result is "unchecked" here.
    const std::string verdict = was.results[i].time_us ? "unchecked" : was.results[i].verdict;
    EXPECT_EQ(t4.results[i].verdict, verdict);
    EXPECT_EQ(cache.results[i].verdict, verdict);
  }
}

TEST_F(RecordingTest, KernelTunerFilesHaveItsKeysWordsAndMilliseconds) {
  add(8, "rows", "passed", 12.5, {12, 13});
  add(16, "columns", "not compiled", 1);
  const Json json = Json::parse(to_kernel_tuner(recorded()));
  EXPECT_EQ(json["tune_params_keys"].dump(), R"(["tile","order"])");
  EXPECT_EQ(json["problem_size"].dump(), "[64,32]");
  EXPECT_EQ(json["device_name"], "NVIDIA H200");
  const Json& timed = json["cache"]["8,rows"];
  EXPECT_DOUBLE_EQ(timed["time"].get<double>(), 0.0125);
  EXPECT_EQ(timed["times"].dump(), "[0.012,0.013]");
  EXPECT_DOUBLE_EQ(timed["benchmark_time"].get<double>(), 0.025);
  EXPECT_EQ(json["cache"]["16,columns"]["time"], "CompilationFailedConfig");
  EXPECT_FALSE(json["cache"]["16,columns"].contains("times"));
}

TEST_F(RecordingTest, T4FilesHaveWhatTheSchemaRequires) {
  add(8, "rows", "passed", 12.5, {12, 13});
  add(16, "columns", "failed", 1);
  const Json json = Json::parse(to_t4(recorded()));
  EXPECT_EQ(json["schema_version"], "1.0.0");
  ASSERT_THAT(json["results"], SizeIs(2));
  for (const Json& result : json["results"]) {
    const bool right = result["configuration"]["tile"] == 8;
    EXPECT_EQ(result["invalidity"], right ? "correct" : "correctness");
    EXPECT_EQ(result["correctness"], right ? 1 : 0);
    EXPECT_EQ(result["times"]["runtimes"].size(), right ? 2U : 0U);
    EXPECT_EQ(result["measurements"].dump(), right ? R"([{"name":"time","value":0.0125,"unit":"ms"}])" : "[]");
    EXPECT_EQ(result["objectives"].dump(), R"(["time"])");
  }
}

TEST_F(RecordingTest, OnlyTheNewestTrialOfEachConfigurationInOneModeCounts) {
  store_.add_trial(example_.measured(16, 30));
  Trial newer = example_.measured(16, 20);
  newer.created_at = "2026-01-02T00:00:00.000Z";
  store_.add_trial(newer);
  Trial other = example_.measured(32, 1);
  other.mode = "warm L2";
  store_.add_trial(other);
  store_.add_trial(example_.predicted(64, 1));
  Trial skipped = example_.measured(8, 1);
  skipped.verdict = "skipped";
  store_.add_trial(skipped);
  const Recording recording = recording_of(store_, {}).value();
  ASSERT_THAT(recording.results, SizeIs(1));
  EXPECT_EQ(recording.results[0].time_us, 20);
  EXPECT_EQ(recording.other_modes, 1U);
  const Export made = export_as(store_, "t4", {});
  EXPECT_EQ(made.what, "1 configuration");
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("1 trial left out: not of the mode 'clean cold L2'")));
}

TEST_F(RecordingTest, SeveralProblemsAreRefusedUntilTheQueryNamesOne) {
  add(8, "rows", "passed", 1);
  store_.add_trial(example_.measured(16, 30));
  EXPECT_THAT(error_of([&] { recording_of(store_, {}); }),
              AllOf(HasSubstr("2 recordings match"), HasSubstr("--pattern"), HasSubstr("job:scale/scaled"),
                    HasSubstr("transpose/tiled")));
  EXPECT_THAT(error_of([&] { export_as(store_, "defines", {}); }),
              AllOf(HasSubstr("2 problems match"), HasSubstr("--size"), HasSubstr("sm_90 job:scale")));
  EXPECT_FALSE(recording_of(store_, {.pattern = "scan"}));
  EXPECT_THAT(export_as(store_, "kernel-tuner", {.pattern = "scan"}).text, IsEmpty());
}

TEST_F(RecordingTest, TheHeaderLeavesOutKernelsOfJobFilesAndSaysSo) {
  add(8, "rows", "passed", 1);
  store_.add_trial(example_.measured(16, 30));
  const Export made = export_as(store_, "hpp", {});
  EXPECT_THAT(made.text, AllOf(HasSubstr("transpose"), Not(HasSubstr("scale"))));
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("1 configuration of kernels of your own left out of the header")));
  EXPECT_THAT(export_as(store_, "json", {}).notes, IsEmpty());
}

TEST_F(RecordingTest, DefinesAreTheMacrosThatTheBestWasCompiledWith) {
  Trial trial = store_.trial(add(16, "rows", "passed", 2));
  trial.created_at.clear();  // now, which is newer
  trial.median_us = 1;
  trial.plan_id =
      store_.upsert(PlanText{.text = "buffer in in float x 64\ndefine TILE 16\ndefine W (32 + 1)\nlaunch scaled\n"});
  store_.add_certificate({.trial_id = store_.add_trial(trial), .cases = 200, .seed = 1});
  const std::string defines = to_defines(store_, {best_of("job:*")});
  EXPECT_THAT(defines, AllOf(HasSubstr("#define TILE 16\n#define W (32 + 1)\n"), HasSubstr("// job:scale/scaled ["),
                             HasSubstr("measured on NVIDIA H200 (sm_90), certified (200 cases, seed 1): 1 us"),
                             Not(HasSubstr("define tile"))));
  // Source with defaults in #ifndef takes its macros from -include.
  std::ofstream(folder_ / "best.h") << defines;
  std::ofstream(folder_ / "kernel.cpp") << "#ifndef TILE\n#define TILE 4\n#endif\n#include \"best.h\"\n"
                                           "static_assert(TILE == 16 && W == 33);\n";
  EXPECT_EQ(std::system(fmt::format("cd {} && g++ -fsyntax-only -Wall -Werror -include best.h kernel.cpp",
                                    folder_.path().string())
                            .c_str()),
            0);
}

TEST_F(RecordingTest, DefinesHaveNoMacroForATemplateParameterAndOneForAParamOfTheLaunch) {
  Trial trial = store_.trial(add(16, "rows", "passed", 2));
  trial.created_at.clear();
  trial.median_us = 1;
  trial.plan_id = store_.upsert(
      PlanText{.text = "define WARPWRIGHT_PARAM_kTile 32\nlaunch scaled<256, 4> grid 7 block 256 shared 0 B ()\n"
                       "param BLOCK template 256\nparam THREADS plan 128\nparam kTile macro 32\n"});
  store_.add_trial(trial);
  EXPECT_THAT(to_defines(store_, {best_of("job:*")}),
              AllOf(HasSubstr("// template arguments: call scaled<256, 4><<<...>>>(...)\n"),
                    HasSubstr("// the constant kTile of the source: give it the value 32\n"),
                    HasSubstr("#define THREADS 128\n#endif\n"), Not(HasSubstr("define BLOCK")),
                    Not(HasSubstr("WARPWRIGHT_PARAM"))));
}

TEST_F(RecordingTest, DefinesOfATrialWithoutMacrosAreItsParams) {
  add(16, "rows", "passed", 2);
  EXPECT_THAT(to_defines(store_, {best_of("job:*")}), HasSubstr("#define order rows\n#define tile 16\n#endif\n"));
}

TEST_F(RecordingTest, TextFromTheDatabaseCannotInjectDefines) {
  Trial trial = store_.trial(add(16, "rows", "passed", 2));
  trial.board_id = store_.upsert(Board{.model = "H200\n#error evil\\", .arch = "sm_90"});
  trial.median_us = 1;
  for (const char* text : {"define TILE 16;int evil\n", "define 1X 2\n", "define X \\\n"}) {
    trial.plan_id = store_.upsert(PlanText{.text = text});
    trial.created_at += "9";
    store_.add_trial(trial);
    EXPECT_THAT(error_of([&] { to_defines(store_, {best_of("job:*")}); }), HasSubstr("is no macro and its value"));
  }
  trial.plan_id = store_.upsert(PlanText{.text = "define TILE 16\n"});
  trial.created_at += "9";
  store_.add_trial(trial);
  EXPECT_THAT(to_defines(store_, {best_of("job:*")}), Not(HasSubstr("\n#error")));
}

TEST_F(RecordingTest, OtherFilesAreRefusedWithAdvice) {
  const auto said = [](const std::string& text) { return error_of([&] { read_recording(text, "x.json"); }); };
  EXPECT_THAT(said("x"), HasSubstr("x.json: is no JSON object: name a cache file"));
  EXPECT_THAT(said("{}"), HasSubstr("x.json: has neither 'cache'"));
  EXPECT_THAT(said(R"({"Metadata": {}, "Results": []})"), HasSubstr("KTT"));
  EXPECT_THAT(said(R"({"cache": [], "tune_params": {}})"), HasSubstr("are no objects"));
  EXPECT_THAT(said(R"({"cache": {"1": {"a": 1}}, "tune_params": {"a": [1]}})"), HasSubstr("'1' has no 'time'"));
  EXPECT_THAT(said(R"({"cache": {"1": {"time": 1}}, "tune_params": {"a": [1]}})"), HasSubstr("no param 'a'"));
  EXPECT_THAT(said(R"({"cache": {"1": {"a": [], "time": 1}}, "tune_params": {"a": [1]}})"), HasSubstr("neither"));
  EXPECT_THAT(said(R"({"cache": {"1": {"a": 1, "time": "Odd"}}, "tune_params": {"a": [1]}})"), HasSubstr("'Odd'"));
  EXPECT_THAT(said(R"({"cache": {"1": {"a": 1, "time": 1, "times": ["x"]}}, "tune_params": {"a": [1]}})"),
              HasSubstr("'times' is no number"));
  EXPECT_THAT(said(R"({"results": 1})"), HasSubstr("is no list"));
  EXPECT_THAT(said(R"({"results": [{}]})"), HasSubstr("no 'configuration'"));
  EXPECT_THAT(said(R"({"results": [{"configuration": {}, "invalidity": "correct"}]})"), HasSubstr("'time'"));
  EXPECT_THAT(said(R"({"results": [{"configuration": {}, "invalidity": "correct",
                                    "measurements": [{"name": "time", "value": 1, "unit": "year"}]}]})"),
              HasSubstr("the unit of 'time'"));
}

TEST_F(RecordingTest, OldCacheFilesHaveANumberForFailures) {
  const Recording recording = read_recording(
      R"({"cache": {"1": {"a": 1, "time": 1e20}, "2": {"a": 2, "time": 3.5}}, "tune_params": {"a": [1, 2]},
          "problem_size": 7})",
      "x");
  EXPECT_EQ(recording.results.at(0).verdict, "rejected");
  EXPECT_EQ(recording.results.at(1).time_us, 3500);
  EXPECT_EQ(recording.shape, Shape{7});
}

}  // namespace
}  // namespace warpwright::db
