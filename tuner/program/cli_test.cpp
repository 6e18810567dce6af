// Tests of the program `tune` as users run it: bad input and environments, interruption, resuming, two runs at once.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "db/maintenance/check.hpp"
#include "db/query/query.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;

const fs::path kPrograms = fs::path(WARPWRIGHT_BINARY_DIR) / "bin";

struct Result {
  int code = -1;
  std::string text;
};

/// Runs a shell command; returns standard output and error together.
Result shell(const std::string& command) {
  const simulator::ProcessResult result =
      simulator::run_process({"sh", "-c", command}, "", time_factor * std::chrono::minutes(9));
  return {.code = result.exit_code, .text = result.output};
}

/// Expects each of the texts in what a program printed.
void expect_words(const Result& result, const std::vector<std::string>& words) {
  for (const std::string& one : words)
    EXPECT_NE(result.text.find(one), std::string::npos) << one << "\n" << result.text;
}

class TuneProgram : public testing::Test {
 protected:
  std::string command(const std::string& arguments) const {
    return (kPrograms / "tune").string() + " --predict --cache " + cache_.string() + " --db " + db_.string() + " " +
           arguments;
  }
  Result tune(const std::string& arguments) const { return shell(command(arguments)); }

  /// Starts the program and returns its process.
  simulator::ChildProcess start(const std::string& arguments) const {
    return simulator::ChildProcess(
        {"sh", "-c", "exec " + command(arguments) + " > " + (folder_ / "log").string() + " 2>&1"});
  }

  std::size_t trials() const {
    try {
      return db::trials(db::Store(db_, db::Mode::read_only), {}).size();
    } catch (const db::Error&) {
      return 0;  // the database does not exist, or is just being created
    }
  }

  const TemporaryFolder folder_;
  const fs::path cache_ = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
  const fs::path db_ = folder_ / "tune.db";
  /// Only two configurations, to be quick.
  const std::string few_ = "--arch sm_75 --pattern transpose/copy --with op=copy --type float --evaluations 2";
};

TEST_F(TuneProgram, BadUsageIsExitCode2AndListsWhatIsKnown) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "--arch"},
      {"--arch sm_42", "sm_75"},
      {"--arch turing", "sm_75"},
      {"--arch sm_75 --pattern nothing", "the patterns are compact, convolution"},
      {"--arch sm_75 --pattern reduec", "no pattern or kernel is named 'reduec'; did you mean reduce?"},
      {"--arch sm_75 --pattern 'reduc/*'", "did you mean reduce?"},
      {"--arch sm_75 --type quaternion", "unknown element type 'quaternion'"},
      {"--arch sm_75 --type int --pattern transpose", "takes 'int'; they take double, float"},
      {"--arch sm_75 --with op=quotient", "reduce has no op 'quotient'; it has sum, product, min, max"},
      {"--arch sm_75 --with filter=4", "filter of convolution cannot be '4'"},
      {"--arch sm_75 --with data", "'data' is not a list of settings: write NAME=VALUE"},
      {"--arch sm_75 --size big", "'big' is not a size"},
      {"--arch sm_75 --pattern transpose --size 3x3x3", "--list"},
      {"--arch sm_75 --board 'RTX 9999'", "RTX"},
      {"--arch sm_75 --budget soon", "'soon' is no duration"},
      {"--arch sm_75 --strategy luck", "exhaustive"},
      {"--arch sm_75 --objective edp", "needs a GPU that counts its energy"},
      {"--arch sm_75 --evaluations 0", "--evaluations"},
      {"--arch sm_75 --shard 3", "'3' is no shard: write 3/16"},
      {"--arch sm_75 --shard 17/16", "they are 1/16 to 16/16"},
      {"--arch sm_75 --shard 0/0 --dry-run", "from 1 to 10000 shards"},
      {"--colour", "there is no option --colour"},
      {"--bugdet 5s", "did you mean --budget?"},
      {"init x.cu", "--predict is for tuning, not for the sub-command"},
  };
  for (const auto& [arguments, words] : cases) {
    const Result result = tune(arguments);
    EXPECT_EQ(result.code, 2) << arguments << "\n" << result.text;
    EXPECT_NE(result.text.find(words), std::string::npos) << arguments << "\n" << result.text;
  }
}

TEST_F(TuneProgram, AnEmptyShardSucceedsAndCreatesItsDatabase) {
  const Result shown = tune("--arch sm_75 --pattern transpose/copy --with op=copy --type float --shard 2/3 --dry-run");
  EXPECT_NE(shown.text.find("in shard 2/3"), std::string::npos) << shown.text;
  const Result empty =
      tune("--arch sm_75 --pattern transpose/copy --with op=copy --type float --shard 1/9999 --no-report");
  EXPECT_EQ(empty.code, 0) << empty.text;
  EXPECT_NE(empty.text.find("The shard 1/9999 of this is empty"), std::string::npos) << empty.text;
  EXPECT_TRUE(db::check(db::Store(db_, db::Mode::read_only)).empty());
}

TEST_F(TuneProgram, AShardIsPredictedOnlyIfAllShardsAre) {
  const std::string shard =
      "--arch sm_75 --pattern transpose --size 64x64 --type float --shard 1/2 --db " + db_.string() + " ";
  const std::string without_gpu = "CUDA_VISIBLE_DEVICES= " + (kPrograms / "tune").string() + " " + shard;
  const Result refused = shell(without_gpu + "--no-report");
  EXPECT_EQ(refused.code, 3) << refused.text;
  EXPECT_NE(refused.text.find("no sm_75 GPU, and the other shards may be measured"), std::string::npos) << refused.text;
  EXPECT_FALSE(fs::exists(db_));
  // A dry run shows the content of a shard anyway: complete problems, each in one shard.
  const auto problems = [](const Result& shown) {
    EXPECT_EQ(shown.code, 0) << shown.text;
    return nlohmann::json::parse(shown.text).at("problems").size();
  };
  EXPECT_EQ(problems(shell(without_gpu + "--dry-run --json")), 1U);
  EXPECT_EQ(problems(tune(shard + "--dry-run --json")), 2U);
}

TEST_F(TuneProgram, BadDatabasesAreExitCode3AndAreNotChanged) {
  std::ofstream(folder_ / "text")
      << "this is no database, whatever its name says, and it is long enough to look like one";
  const auto before = fs::file_size(folder_ / "text");
  fs::create_directories(folder_ / "directory");
  for (const char* bad : {"directory", "text", "text/below/tune.db", "missing/tune.db"}) {
    const Result result = tune(few_ + " --db " + (folder_ / bad).string());
    EXPECT_EQ(result.code, 3) << bad << "\n" << result.text;
    EXPECT_NE(result.text.find("tune: "), std::string::npos) << result.text;
  }
  EXPECT_EQ(fs::file_size(folder_ / "text"), before);
}

TEST_F(TuneProgram, AnUnusableCacheFolderIsExitCode3) {
  std::ofstream(folder_ / "file") << "x";
  const Result result = tune(few_ + " --cache " + (folder_ / "file" / "cache").string());
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.text.find("WARPWRIGHT_CACHE"), std::string::npos) << result.text;
}

TEST_F(TuneProgram, WithoutNvrtcItSaysWhatToInstall) {
  const Result result = shell("CUDA_HOME=" + folder_.path().string() + " " + command(few_));
  EXPECT_EQ(result.code, 3) << result.text;
  EXPECT_NE(result.text.find("install the CUDA toolkit"), std::string::npos) << result.text;
}

TEST_F(TuneProgram, WithoutADriverNativeIsRefusedWithAdvice) {
  const Result result = shell((kPrograms / "tune").string() + " --arch native --db " + db_.string());
  if (result.code == 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(result.code, 3) << result.text;
  EXPECT_NE(result.text.find("--arch sm_75"), std::string::npos) << result.text;
}

TEST_F(TuneProgram, ARunEndsWithAReportAndSucceedsWithoutOne) {
  const std::filesystem::path folder = folder_ / "pages";
  const Result written = tune(few_ + " --report " + folder.string());
  EXPECT_EQ(written.code, 0) << written.text;
  EXPECT_NE(written.text.find((folder / "index.html").string()), std::string::npos) << written.text;
  EXPECT_TRUE(std::filesystem::exists(folder / "sm_75.html"));
  const Result refused = tune(few_ + " --report " + (db_ / "below_a_file").string());
  EXPECT_EQ(refused.code, 3) << refused.text;
  expect_words(refused, {"tune: cannot write the report " + (db_ / "below_a_file/index.html").string()});
  EXPECT_EQ(refused.text.find("predicted"), std::string::npos) << "found before the run: " << refused.text;
  const Result none = tune(few_ + " --no-report");
  EXPECT_EQ(none.text.find("Report:"), std::string::npos) << none.text;
}

TEST_F(TuneProgram, PredictionsAreStoredAndMarkedAsNotMeasured) {
  const Result result = tune("--arch sm_75 --board 'RTX 2080 Ti' --pattern transpose/copy --with op=copy --type float");
  ASSERT_EQ(result.code, 0) << result.text;
  expect_words(result, {" configurations predicted in ", "predicted, checked", "100 %", db_.string()});
  const db::Store store(db_, db::Mode::read_only);
  const auto trials = db::trials(store, {});
  EXPECT_EQ(trials.size(), 55U + 1U);  // the best one is stored a second time, after its full property test
  for (const auto& view : trials) {
    EXPECT_EQ(view.trial.provenance, "predicted");
    EXPECT_EQ(view.trial.verdict, "passed") << view.trial.detail;
    EXPECT_FALSE(view.trial.median_us);
    EXPECT_GT(view.trial.predicted_us.value_or(0), view.trial.low_us.value_or(1e9));
    EXPECT_GT(view.trial.occupancy.value_or(0), 0);
    EXPECT_TRUE(view.trial.limited_by && !view.trial.occupancy_limit.empty());
    EXPECT_EQ(view.board->model.find("RTX 2080 Ti") != std::string::npos, true) << view.board->model;
    const auto accesses = store.accesses(view.trial.configuration_id, view.trial.problem_id, "sm_75");
    ASSERT_EQ(accesses.size(), 1U);
    EXPECT_EQ(accesses[0].target, "host/sm_75") << "simulated as the architecture that it is tuned for";
    EXPECT_GT(accesses[0].global_load_sectors, 0);
    const auto launches = store.launches(view.trial.id);
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].times, 1);
    EXPECT_EQ(launches[0].registers, view.trial.registers);
  }
  const auto best = db::best(store, {.arch = "sm_75", .pattern = "transpose"});
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0].winner.trial.rank, 1);
  EXPECT_TRUE(best[0].winner.trial.full_property);
  EXPECT_GT(best[0].winner.trial.simulated_cases.value_or(0), 50);
  int once = 0;
  for (const auto& view : trials) {
    EXPECT_GE(view.trial.simulated_cases.value_or(0), 1) << "a passed trial ran in the simulator";
    once += view.trial.simulated_cases == 1 ? 1 : 0;
  }
  EXPECT_GT(once, 0) << "most run the traced problem alone";
  EXPECT_GT(best[0].tied.size(), 0U) << "several copies are as fast as the model can tell";
  EXPECT_NE(result.text.find("of the shortest count as equal"), std::string::npos) << result.text;
  for (const auto& view : best[0].tied) EXPECT_TRUE(view.trial.tied);
}

TEST_F(TuneProgram, ABestThatWasNotFullyCheckedIsCheckedByTheNextRun) {
  ASSERT_EQ(tune(few_).code, 0);
  const auto first = [&](const db::Store& store) { return db::best(store, {.arch = "sm_75"}).at(0).winner.trial; };
  db::Trial older;
  {
    db::Store store(db_);
    older = first(store);
    ASSERT_TRUE(older.full_property);
    older.simulated_cases.reset();  // as in older files
    older.full_property = false;
    older.created_at.clear();
    store.add_trial(older);
  }
  const Result again = tune(few_);
  ASSERT_EQ(again.code, 0) << again.text;
  const db::Store store(db_, db::Mode::read_only);
  EXPECT_TRUE(first(store).full_property);
  EXPECT_TRUE(store.find_trial(older.config_key)->full_property) << "which a third run takes over";
}

TEST_F(TuneProgram, EveryArchitectureThatNvrtcKnowsIsAccepted) {
  for (const char* arch : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    const Result result =
        tune("--arch " + std::string(arch) + " --pattern transpose/copy --with op=copy --type float --evaluations 1");
    EXPECT_EQ(result.code, 0) << arch << "\n" << result.text;
  }
}

TEST_F(TuneProgram, DryRunAndListRunNothing) {
  const Result dry = tune("--arch sm_75 --dry-run"), list = tune("--list");
  EXPECT_EQ(dry.code, 0) << dry.text;
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(dry.text.find("launch "), std::string::npos) << dry.text;
  expect_words(shell("COLUMNS=1000 " + command("--arch sm_75 --dry-run -v")),
               {"launch warpwright::reduce::grid_stride<float", "holds no complete run on sm_75"});
  std::istringstream lines(dry.text + list.text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100) << line;
  EXPECT_NE(list.text.find("reduce/grid_stride"), std::string::npos);
  EXPECT_FALSE(fs::exists(db_));
}

TEST_F(TuneProgram, DryRunCountsWhatTheBudgetAllowsAtTheRateOfTheLastRun) {
  const std::string copies = "--arch sm_75 --pattern transpose/copy --type float --with op=copy";
  ASSERT_EQ(tune(copies).code, 0);
  const Result dry = shell("COLUMNS=1000 " + command(copies + " --evaluations 5 --dry-run"));
  EXPECT_EQ(dry.code, 0) << dry.text;
  expect_words(dry, {"5 configurations for 1 problem on", "as in the newest run in " + db_.string()});
}

TEST_F(TuneProgram, InterruptedRunsKeepStoredTrialsAndASoundDatabase) {
  const std::string work = "--arch sm_75 --pattern 'transpose/tiled*' --type float";
  std::size_t kept = 0;
  for (const int signal : {SIGINT, SIGKILL}) {
    simulator::ChildProcess child = start(work + " --cache " + (folder_ / ("cold" + std::to_string(signal))).string());
    ASSERT_TRUE(eventually([&] { return trials() >= kept + 3; }));
    child.kill(signal);
    const simulator::Ending ending = child.wait();
    EXPECT_EQ(ending.signal, signal == SIGKILL ? SIGKILL : 0);
    if (signal == SIGINT) {
      EXPECT_EQ(ending.exit_code, 130);
      const std::string said = shell("cat " + (folder_ / "log").string()).text;
      EXPECT_NE(said.find("PATTERN "), std::string::npos) << "the best so far: " << said;
    }
    EXPECT_TRUE(db::check(db::Store(db_)).empty());
    EXPECT_GE(trials(), kept + 3);
    kept = trials();
  }
  const Result resumed = tune(work);
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_GT(trials(), 2 * kept) << "the interrupted runs went on for most of it";
  EXPECT_TRUE(db::check(db::Store(db_)).empty());
}

TEST_F(TuneProgram, ABudgetTooShortForAnyTrialIsNoSuccess) {
  const Result result =
      tune("--arch sm_75 --pattern transpose/copy --budget 0.01s --cache " + (folder_ / "empty").string());
  EXPECT_EQ(result.code, 3) << result.text;
  EXPECT_NE(result.text.find("give it more time"), std::string::npos) << result.text;
  EXPECT_EQ(trials(), 0U);
}

TEST_F(TuneProgram, ARunWithABudgetSaysHowMuchWasSearchedAndHowToContinue) {
  const Result result =
      tune("--arch sm_75 --pattern 'transpose/tiled*' --with op=transpose --type float --evaluations 1 -v");
  EXPECT_EQ(result.code, 0) << result.text;
  expect_words(result, {"default only", "Searched of transpose 8192x8192 float: tiled 1 of ",
                        "Hardly searched: transpose. Go on: tune --arch sm_75 --pattern 'transpose/tiled*'"});
}

TEST_F(TuneProgram, ResultsGoToStdoutAndEverythingElseToStderr) {
  const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
  ASSERT_EQ(shell(command(few_ + " --no-report") + " > " + out + " 2> " + err).code, 0);
  const std::string results = shell("cat " + out).text;
  EXPECT_EQ(results.rfind("PATTERN ", 0), 0U) << results;
  EXPECT_NE(results.find("predicted, checked"), std::string::npos) << results;
  EXPECT_NE(results.find("\n1 problem, 2 configurations predicted in "), std::string::npos) << results;
  EXPECT_NE(results.find("\nSettings: tunedb best -v --arch sm_75 --db "), std::string::npos) << results;
  EXPECT_EQ(results.find('\x1b'), std::string::npos) << "no colours in a file";
  const std::string said = shell("cat " + err).text;
  EXPECT_EQ(said.find_first_of("\n"), said.find_last_of("\n")) << "at most that it compiles: " << said;
}

TEST_F(TuneProgram, WithABudgetTheDefaultsOfAllProblemsComeFirst) {
  const Result result = tune(
      "--arch sm_75 --pattern transpose/copy --pattern transpose/tiled --type float --with op=all --evaluations 3 "
      "--no-report --budget 600s");
  EXPECT_EQ(result.code, 0) << result.text;
  const db::Store store(db_, db::Mode::read_only);
  auto all = db::trials(store, {});
  std::ranges::sort(all, {}, [](const db::TrialView& view) { return view.trial.id; });
  ASSERT_GE(all.size(), 6U);
  std::set<std::string> first;
  for (std::size_t i = 0; i < 2; ++i) {
    const Kernel& kernel = catalogue().kernel("transpose/" + all[i].kernel);
    EXPECT_EQ(all[i].params, kernel.space.text(kernel.default_point));
    first.insert(kernel.name);
  }
  EXPECT_EQ(first, (std::set<std::string>{"copy", "tiled"}));
}

TEST_F(TuneProgram, WithoutAPatternItIsAShortSurveyOfOneProblemOfEach) {
  const Result result = tune("--arch sm_75 --dry-run --json");
  ASSERT_EQ(result.code, 0) << result.text;
  const auto dry = nlohmann::json::parse(result.text);
  EXPECT_EQ(dry.at("problems").size(), catalogue().patterns().size());
  EXPECT_EQ(dry.at("strategy"), "gaussian_process");
  EXPECT_LT(dry.at("seconds").get<double>(), 180);
  const Result listed = tune("--list --json");
  EXPECT_EQ(nlohmann::json::parse(listed.text).at("kernels"), catalogue().kernels().size());
}

TEST_F(TuneProgram, TheSameCommandAgainPredictsNothingTwice) {
  ASSERT_EQ(tune(few_).code, 0);
  const Result again = tune(few_);
  ASSERT_EQ(again.code, 0);
  EXPECT_NE(again.text.find("2 known from earlier runs"), std::string::npos) << again.text;
  EXPECT_EQ(trials(), 2U + 1U);
  EXPECT_NE(again.text.find("0 configurations"), std::string::npos) << again.text;
}

TEST_F(TuneProgram, StoredCounterexamplesOfItsKernelsRunFirst) {
  const auto line = [](const std::string& kernel, const std::string& params) {
    return "kernel=transpose/" + kernel + " params={" + params +
           "} problem=transpose[op=copy,data=uniform,float,3x5] input=exact:7 check=oracle schedule=0:0 target=host";
  };
  const std::string passes = line("copy", ".block_size = 128, .vectors_per_thread = 1, .vector_width = 1");
  const std::string gone = line("copy", ".gone = 1");
  {
    db::Store store(db_);
    for (const std::string& repro : {passes, gone})
      store.saw_counterexample({.pattern = "transpose", .kernel = "copy", .repro = repro});
    store.saw_counterexample({.pattern = "transpose", .kernel = "naive", .repro = "another kernel's"});
  }
  const Result result = tune(few_);
  EXPECT_EQ(result.code, 0) << result.text;
  expect_words(result, {"stored counterexample passes now: " + passes, "stored counterexample not replayed"});
  const auto left = db::Store(db_).counterexamples();
  ASSERT_EQ(left.size(), 1U) << "one is fixed, one obsolete";
  EXPECT_EQ(left[0].repro, "another kernel's");
}

TEST_F(TuneProgram, EveryTrialIsStoredWithItsPlanAndTheCompilersLog) {
  ASSERT_EQ(tune(few_ + " --cache " + (folder_ / "cache").string()).code, 0);
  const Result shown = shell((kPrograms / "tunedb").string() + " show 1 --db " + db_.string());
  EXPECT_EQ(shown.code, 0) << shown.text;
  expect_words(shown, {"plan\n  buffer ", "launch warpwright::transpose::copy<float", "compiler log\n",
                       "Compiling entry function '", " registers"});
}

TEST_F(TuneProgram, TwoRunsOnOneDatabaseBothStoreTheirTrials) {
  simulator::ChildProcess first = start("--arch sm_75 --pattern transpose/copy --with op=copy --type float");
  const Result second = tune("--arch sm_80 --pattern transpose/copy --with op=copy --type float");
  EXPECT_EQ(first.wait().exit_code, 0);
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_EQ(trials(), 2U * (55U + 1U));
  EXPECT_TRUE(db::check(db::Store(db_)).empty());
}

}  // namespace
}  // namespace warpwright::tuner
