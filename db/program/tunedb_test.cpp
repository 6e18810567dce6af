// Tests of the program tunedb, run as users run it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "db/store/connection.hpp"
#include "db/store/fixture.hpp"
#include "db/store/leases.hpp"

namespace warpwright::db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

class TunedbTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string db_ = (folder_ / "a.db").string();

  TunedbTest() {
    Store store(db_);
    ExampleTrials example{store};
    Trial trial = example.measured(32, 12.5);
    trial.low_us = 12.25;
    trial.high_us = 12.75;
    trial.registers = 40;
    trial.occupancy = 0.5;
    trial.occupancy_limit = "shared memory";
    trial.plan_id = store.upsert(PlanText{.text = "buffer in\nlaunch tiled<32>\n",
                                          .compile_log = "Used 40 registers\n" + std::string(100, '\n')});
    trial.block_threads = 256;
    Launch launch{.entry = "tiled<32>", .times = 2, .grid_blocks = 65536, .block_threads = 256};
    launch.registers = 40;
    launch.occupancy = 0.5;
    launch.occupancy_limit = "shared memory";
    const Id best = store.add_trial(trial, std::vector{12.25, 12.5, 12.75}, std::vector{1980.0, 1980.0, 1980.0},
                                    std::vector{launch, Launch{.number = 1, .entry = "finish"}});
    store.add_certificate({.trial_id = best, .cases = 200, .seed = 7});
    store.set_ranking(example.problem, example.board, "measured",
                      std::vector<Ranked>{{best, 1, true}, {store.add_trial(example.measured(64, 12.6)), 2, true}});
    trial = example.measured(16, 25);
    trial.is_default = true;
    store.add_trial(trial);
    trial = example.measured(8, 1);
    trial.verdict = "failed";
    trial.detail = "element 3 is 4 instead of 5";
    store.add_trial(trial);
    store.put_access({.configuration_id = example.configuration(32),
                      .problem_id = example.problem,
                      .target = "host/sm_90",
                      .global_load_requests = 10,
                      .global_load_sectors = 40,
                      .barriers = 6,
                      .atomics = 32,
                      .threads = 512,
                      .branches = 30,
                      .divergent_branches = 4,
                      .lines = R"([{"file": "kernels/transpose/tiled.cuh", "line": 31, "space": "shared",
                                    "requests": 16, "transactions": 48, "least": 16}])"});
    const Id geam = store.add_baseline({.implementation = "cublas",
                                        .idiom = "geam",
                                        .version = "13.0",
                                        .problem_id = example.problem,
                                        .board_id = example.board,
                                        .verdict = "passed",
                                        .median_us = 13});
    const Id mdrange = store.add_baseline({.implementation = "kokkos",
                                           .idiom = "mdrange",
                                           .problem_id = example.problem,
                                           .board_id = example.board,
                                           .verdict = "passed",
                                           .median_us = 25});
    store.add_comparison({.trial_id = best, .baseline_id = mdrange, .rounds = 30, .ratio = 2, .low = 1.9, .high = 2.1});
    store.add_comparison(
        {.trial_id = best, .baseline_id = geam, .rounds = 30, .ratio = 1.04, .low = 1.03, .high = 1.05});
    store.end_session(example.session, "complete");
  }

  Result run(const std::string& arguments, const std::string& before = "") {
    const std::string command = before + " " WARPWRIGHT_BINARY_DIR "/bin/tunedb " + arguments + " > " +
                                (folder_ / "out").string() + " 2> " + (folder_ / "err").string();
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), bytes_of(folder_ / "out"), bytes_of(folder_ / "err")};
  }
  Result run_on_db(const std::string& arguments) { return run(arguments + " --db " + db_); }
};

TEST_F(TunedbTest, BestPrintsTheSettingsAndHowTheyMatch) {
  const Result result = run_on_db("best --arch sm_90 --pattern transpose --size 8192x8192 --board 'NVIDIA H200'");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "PATTERN    PROBLEM                        KERNEL     TIME  DEFAULT  LIBRARY  CERTAINTY  SEARCHED\n"
            "transpose  8192x8192 float, data=uniform  tiled   12.5 us    2.00x     1.04  certified  -\n");
  const Result all = run_on_db("best --arch sm_90 --pattern transpose --size 8192x8192 --board 'NVIDIA H200' -v");
  for (const char* part : {"transpose/tiled {.tile_dim = 32}", "measured on this board, at the size asked for",
                           "12.50 us [12.25, 12.75]", "2.00 times as fast", "ours is 1.040 x as fast",
                           "certified (200 cases, seed 7)", "1 more cannot be told apart"})
    EXPECT_THAT(all.out, HasSubstr(part));
  EXPECT_THAT(run_on_db("best --arch sm_90 --csv").out,
              AllOf(StartsWith("pattern,problem,kernel,time_us,"), HasSubstr("{.tile_dim = 32}"), HasSubstr(",12.5,")));
}

TEST_F(TunedbTest, BestPrintsJson) {
  const auto json = nlohmann::json::parse(run_on_db("best --arch sm_90 --json").out);
  ASSERT_THAT(json, SizeIs(1));
  EXPECT_EQ(json[0]["winner"]["axes"]["tile_dim"], 32);
  EXPECT_EQ(json[0]["speedup_over_default"], 2.0);
  EXPECT_EQ(json[0]["tied"][0], "tiled {.tile_dim = 64}");
  ASSERT_THAT(json[0]["compared_with"], SizeIs(2));
  EXPECT_EQ(json[0]["compared_with"][0]["implementation"], "cublas");
  EXPECT_EQ(json[0]["compared_with"][0]["times_as_fast"], 1.04);
}

TEST_F(TunedbTest, BestWithoutAnAnswerListsWhatTheDatabaseHas) {
  const Result result = run_on_db("best --arch sm_75");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("sm_90 (NVIDIA H200): transpose, 3 configurations measured on 1 problem"));
}

TEST_F(TunedbTest, TrialsAreListedFilteredAndLimited) {
  EXPECT_THAT(run_on_db("trials").out, AllOf(HasSubstr("ID  KERNEL"), HasSubstr("tile_dim=64"), HasSubstr("failed")));
  const Result failed = run_on_db("trials --verdict failed");
  EXPECT_THAT(failed.out, AllOf(HasSubstr("element 3 is 4"), Not(HasSubstr("tile_dim=64"))));
  EXPECT_THAT(nlohmann::json::parse(run_on_db("trials --json --limit 3").out), SizeIs(3));
  EXPECT_THAT(nlohmann::json::parse(run_on_db("trials --json --limit 0").out), SizeIs(4));
  EXPECT_THAT(nlohmann::json::parse(run_on_db("trials --json --with data=uniform --size 2^13x8192").out), SizeIs(4));
  EXPECT_EQ(run_on_db("trials --with data=zipf").out, "No trials match.\n");
  EXPECT_EQ(run_on_db("trials --pattern none").out, "No trials match.\n");
}

TEST_F(TunedbTest, TrialsCanBeSortedByTimeLimitedAndPrintedAsCsv) {
  const std::string csv = run_on_db("trials --sort time --top 2 --csv --verdict passed").out;
  EXPECT_THAT(csv, StartsWith("id,arch,board,pattern,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
  EXPECT_LT(csv.find("{.tile_dim = 32}"), csv.find("{.tile_dim = 64}"));
  EXPECT_THAT(csv, Not(HasSubstr("{.tile_dim = 16}")));
  EXPECT_THAT(csv, HasSubstr("certified (200 cases, seed 7)"));
  EXPECT_THAT(run_on_db("trials --sort time --limit 1").err, HasSubstr("1 of 4 trials, the fastest first."));
}

TEST_F(TunedbTest, PredictedTrialsSayByHowManyCasesTheyWereCheckedAndFormABand) {
  {
    Store store(db_);
    ExampleTrials example{.store = store, .arch = "sm_75", .session = 1};
    Trial trial = example.predicted(32, 10);
    trial.verdict = "passed";
    trial.simulated_cases = 51;
    trial.full_property = true;
    store.add_trial(trial);
    trial = example.predicted(64, 10.5);
    trial.verdict = "passed";
    trial.simulated_cases = 1;
    store.add_trial(trial);
  }
  EXPECT_THAT(run_on_db("trials --provenance predicted -v").out,
              AllOf(HasSubstr("passed (1 case)"), HasSubstr("passed (the full property test, 51 cases)")));
  EXPECT_THAT(run_on_db("best --arch sm_75 -v").out,
              AllOf(HasSubstr("predicted, checked"), HasSubstr("the full property test, 51 cases"),
                    HasSubstr("1 more of tiled within the model's error"), HasSubstr("shortest count as equal")));
  EXPECT_THAT(run_on_db("best --arch sm_90").out, Not(HasSubstr("shortest count as equal")));
  const auto json = nlohmann::json::parse(run_on_db("trials --provenance predicted --json --sort time").out);
  EXPECT_EQ(json[0]["simulated_cases"], 51);
}

TEST_F(TunedbTest, ForgetCountsAsksAndRemoves) {
  const Result none = run_on_db("forget --pattern none --yes");
  EXPECT_TRUE(none.code == 0 && none.out == "No trials match.\n") << none.out;
  const Result declined = run("forget --verdict passed --db " + db_, "echo n |");
  EXPECT_THAT(declined.out, AllOf(HasSubstr("3 trials of"), HasSubstr("3 measured and passed"), HasSubstr("[y/N]"),
                                  HasSubstr("Nothing was removed")));
  EXPECT_THAT(run("forget --db " + db_ + " < /dev/null").out, HasSubstr("Nothing was removed"));
  EXPECT_THAT(nlohmann::json::parse(run_on_db("forget --verdict passed --json").out), SizeIs(3)) << "only lists";
  EXPECT_THAT(nlohmann::json::parse(run_on_db("trials --json").out), SizeIs(4));
  EXPECT_THAT(run_on_db("forget --verdict failed --csv --yes").out, HasSubstr("element 3 is 4 instead of 5"));
  EXPECT_THAT(run("forget --with data=uniform --size 8192x8192 --db " + db_, "echo y |").out,
              HasSubstr("3 trials removed"));
  EXPECT_EQ(run_on_db("trials").out, "No trials match.\n");
  EXPECT_EQ(run_on_db("check").code, 0);
}

TEST_F(TunedbTest, AlteredRowsAreReportedWithTheOutput) {
  EXPECT_THAT(run_on_db("best --arch sm_90").err, IsEmpty());
  EXPECT_THAT(run_on_db("show 1").err, IsEmpty());
  SQLite::Database(db_, SQLite::OPEN_READWRITE).exec("UPDATE certificate SET cases = 100000");
  for (const char* arguments : {"best --arch sm_90", "best --arch sm_90 --json", "show 1", "show 1 --json", "export"}) {
    const Result result = run_on_db(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_THAT(result.err, HasSubstr("warning: certificate 1: its content is not what was stored; trial 1"))
        << arguments;
  }
  EXPECT_THAT(run_on_db("show 2").err, IsEmpty());
  EXPECT_EQ(run_on_db("check").code, 1);
}

TEST_F(TunedbTest, TheVersionIsPrinted) {
  for (const char* arguments : {"--version", "best --version"}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_THAT(result.out, testing::MatchesRegex("tunedb [0-9]+\\.[0-9]+\\.[0-9]+\n")) << arguments;
  }
}

TEST_F(TunedbTest, OutputThatCannotBeWrittenIsExitCode3) {
  for (const char* arguments : {"export", "trials --json", "show 1", "best --arch sm_90", "check", "--help",
                                "--version", "--completion bash"}) {
    const std::string command = WARPWRIGHT_BINARY_DIR "/bin/tunedb " + std::string(arguments) + " --db " + db_ +
                                " > /dev/full 2> " + (folder_ / "err").string();
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3) << arguments;
    EXPECT_THAT(bytes_of(folder_ / "err"), AllOf(StartsWith("tunedb: "), HasSubstr("standard output"))) << arguments;
  }
}

TEST_F(TunedbTest, ControlCharactersInNamesAreEscaped) {
  {
    Store store(db_);
    ExampleTrials example{.store = store, .arch = "sm_75", .session = 1};
    Trial trial = example.measured(32, 10);
    trial.detail = "colour \x1b[31m and bell \a";
    trial.warnings = "two\nlines";
    trial.board_id = store.upsert(Board{.model = "\x1b]0;evil\a", .arch = "sm_75", .source = "device"});
    store.add_trial(trial);
  }
  for (const char* arguments : {"trials --arch sm_75 -v", "best --arch sm_75 -v", "show 5", "best --arch sm_11"}) {
    const Result result = run_on_db(arguments);
    for (const std::string& text : {result.out, result.err})
      EXPECT_TRUE(std::ranges::none_of(text, [](unsigned char c) { return (c < 32 && c != '\n') || c == 127; }))
          << arguments << "\n"
          << text;
    EXPECT_THAT(result.out + result.err, HasSubstr("\\x1b]0;evil\\x07")) << arguments;
  }
  EXPECT_THAT(run_on_db("show 5").out, HasSubstr("two\\nlines"));
}

TEST_F(TunedbTest, ShowPrintsEverythingOfATrial) {
  const Result result = run("show 1 --db " + db_, "COLUMNS=1000");  // as wide as it is
  EXPECT_EQ(result.code, 0);
  for (const char* part : {"transpose/tiled",
                           "{.tile_dim = 32}",
                           "key-32",
                           "8192x8192",
                           "transpose 8192x8192 float, data=uniform",
                           "launch 0\n",
                           "tiled<32>",
                           "65536 x 256",
                           "launch 1\n",
                           "access of launch 0 (host/sm_90)",
                           "registers",
                           "40",
                           "50.0 %, limited by shared memory",
                           "12.500 us [12.25, 12.75]",
                           "3 samples: min 12.25, quartiles 12.50 / 12.50 / 12.75, max 12.75 us",
                           "clean cold L2",
                           "plan\n  buffer in\n  launch tiled<32>\n",
                           "compiler log\n  Used 40 registers\n",
                           "61 more lines",
                           "samples, us\n      12.250    12.500    12.750\n",
                           "NVIDIA H200 (sm_90)",
                           "132 SMs",
                           "GPU-1",
                           "580",
                           "ECC",
                           "command",
                           "tune",
                           "complete",
                           "10 requests, 4.00 sectors each",
                           "6 of blocks, 3.00 a thread",
                           "32, 0.062 a thread",
                           "30 of warps, 4 divergent",
                           "kernels/transpose/tiled.cuh:31",
                           "shared: 16 requests, 48 transactions, 16 needed",
                           "baseline cublas/geam 13.0",
                           "13.00 us",
                           "the trial is 1.040 times as fast [1.030, 1.050], 30 alternating rounds",
                           "certified (200 cases, seed 7)",
                           "1 of its problem"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
  const auto json = nlohmann::json::parse(run_on_db("show 1 --json").out);
  EXPECT_THAT(json["samples_us"], SizeIs(3));
  ASSERT_THAT(json["launches"], SizeIs(2));
  EXPECT_EQ(json["launches"][0]["times"], 2);
  EXPECT_EQ(json["launches"][1]["registers"], nullptr);
  EXPECT_EQ(run_on_db("show 99").code, 1);
  EXPECT_THAT(run_on_db("show 99").err, HasSubstr("there is no trial 99"));
}

TEST_F(TunedbTest, ExportWritesEveryFormat) {
  EXPECT_THAT(run_on_db("export --format hpp").out, HasSubstr("tiled_params{.tile_dim = 32}"));
  EXPECT_THAT(run_on_db("export --format csv").out, StartsWith("format,arch"));
  const Result result = run_on_db("export --output " + (folder_ / "best.json").string());
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(nlohmann::json::parse(bytes_of(folder_ / "best.json"))["format"], 3);
  EXPECT_THAT(run_on_db("export --format defines").out, HasSubstr("call tiled<32><<<...>>>(...)\n"));
  EXPECT_EQ(nlohmann::json::parse(run_on_db("export --format t4").out)["results"].size(), 4U);
  EXPECT_EQ(nlohmann::json::parse(run_on_db("export --format kernel-tuner").out)["cache"].size(), 4U);
  EXPECT_EQ(run_on_db("export --format t4 --pattern scan").code, 1);
  // An exported file can be imported again under another name.
  EXPECT_EQ(run_on_db("export --format t4 --output " + (folder_ / "t4").string()).code, 0);
  EXPECT_THAT(run_on_db("import " + (folder_ / "t4").string()).out, HasSubstr("import:tiled on NVIDIA H200: 3 conf"));
  EXPECT_EQ(run_on_db("export --arch sm_11").code, 1);
  EXPECT_EQ(run_on_db("export --output " + (folder_ / "no/such/file").string()).code, 3);
  EXPECT_THAT(run_on_db("export --output /dev/full").err, HasSubstr("cannot write the export /dev/full: No space"));
}

TEST_F(TunedbTest, MergeMakesTheFileAndBackupAndCheckAcceptIt) {
  const std::string all = (folder_ / "all.db").string();
  const Result merged = run("merge " + db_ + " " + db_ + " --db " + all);
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, AllOf(HasSubstr("4 new trials, 2 baselines, 1 session,"), HasSubstr(": 0 new trials")));
  EXPECT_EQ(run("backup " + (folder_ / "copy.db").string() + " --db " + all).code, 0);
  EXPECT_EQ(run("check --db " + (folder_ / "copy.db").string()).out, (folder_ / "copy.db").string() + ": sound\n");
  EXPECT_THAT(run("backup " + all + " --db " + all).err, HasSubstr("not overwritten. Name another one")) << "it exists";
}

TEST_F(TunedbTest, CheckReportsLeasesWhichAreNoDamage) {
  Store store(db_);
  Leases leases(store, store.sessions().front().id);
  leases.take(std::vector<std::string>{"a", "b"}, 2);
  const Result live = run_on_db("check");
  EXPECT_EQ(live.code, 0);
  EXPECT_THAT(live.out, AllOf(HasSubstr(": sound\n"), HasSubstr("session 1 is at work on 2 evaluations")));
  store.connection().execute("UPDATE lease SET expires_at = 1");
  const Result expired = run_on_db("check");
  EXPECT_EQ(expired.code, 0);
  EXPECT_THAT(expired.out, AllOf(HasSubstr(": sound\n"), HasSubstr("the next run of tune takes them over")));
}

TEST_F(TunedbTest, CheckNamesDamageAndDoesNotChangeTheFile) {
  SQLite::Database(db_, SQLite::OPEN_READWRITE).exec("UPDATE trial SET median_us = 1 WHERE id = 2");
  const std::string before = bytes_of(db_);
  const Result result = run_on_db("check");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("trial 2: its content is not what was stored"), HasSubstr("1 finding)")));
  EXPECT_EQ(bytes_of(db_), before);
  std::filesystem::resize_file(db_, 5000);
  EXPECT_EQ(run_on_db("check").code, 1);
  std::ofstream(db_) << "a letter";
  EXPECT_EQ(run_on_db("check").code, 1);
}

TEST_F(TunedbTest, WrongUsageIsExitCode2WithAReason) {
  for (const char* arguments :
       {"", "best", "guess", "best --arch", "trials --verdict fine", "trials --limit -1", "show", "export --format xml",
        "merge", "trials --sort size", "trials --csv --json", "best --arch sm_90 --size big",
        "best --arch sm_90 --with sum", "trials --with op=sum,op=min"}) {
    const Result result = run_on_db(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.err, Not(IsEmpty())) << arguments;
  }
  EXPECT_THAT(run_on_db("best --arch sm_90 --size big").err, HasSubstr("'big' is not a size"));
  EXPECT_THAT(run_on_db("guess").err, HasSubstr("guess"));
  EXPECT_THAT(run_on_db("").err, HasSubstr("Examples:"));
}

TEST_F(TunedbTest, AnUnusableFileIsExitCode3WithAdvice) {
  const Result missing = run("best --arch sm_90 --db " + (folder_ / "none.db").string());
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, AllOf(StartsWith("tunedb: "), HasSubstr("there is no such file"), HasSubstr("tune --db")));
  EXPECT_EQ(run("check --db " + folder_.path().string()).code, 3);
}

TEST_F(TunedbTest, TheEnvironmentVariableNamesTheFile) {
  EXPECT_EQ(run("trials", "WARPWRIGHT_DB=" + db_).code, 0);
  for (const char* bad :
       {"WARPWRIGHT_DB=", "WARPWRIGHT_DB=some/file.db", "WARPWRIGHT_CACHE=", "WARPWRIGHT_CACHE=cache"}) {
    const Result with = run("trials --db " + db_, bad);
    EXPECT_EQ(with.code, 3) << bad;
    EXPECT_THAT(with.err, AllOf(HasSubstr(std::string(bad).substr(0, std::string(bad).find('='))),
                                HasSubstr("set it to an absolute path")))
        << bad;
  }
  const Result result = run("trials", "env -u WARPWRIGHT_DB XDG_DATA_HOME=/nonexistent");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/warpwright/warpwright.db"));
}

TEST_F(TunedbTest, HelpHasExamples) {
  const Result result = run("--help");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("Examples:"), HasSubstr("tunedb best --arch sm_90"), HasSubstr("Exit codes")));
  EXPECT_THAT(run("best --help").out, HasSubstr("--size"));
}

}  // namespace
}  // namespace warpwright::db
