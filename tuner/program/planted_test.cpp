// Tests of a pattern outside the source tree, built against the installed package. It has planted configurations that
// are wrong in every way: each gets its verdict, and none is best.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "db/query/query.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;

std::pair<int, std::string> shell(const std::string& command) {
  const simulator::ProcessResult result =
      simulator::run_process({"sh", "-c", command}, "", time_factor * std::chrono::minutes(9));
  return {result.exit_code, result.output};
}

class OutsideTheTree : public testing::Test {
 protected:
  /// Installs warpwright and builds programs with the toy pattern; several tests may call it at once.
  static void build() {
    fs::create_directories(kBuild);
    const int lock = ::open((kBuild / "test.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    ASSERT_GE(lock, 0);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    fs::copy(kTestData, kOutside, fs::copy_options::recursive | fs::copy_options::update_existing);
    expect_done("cmake --install " WARPWRIGHT_BINARY_DIR " --prefix " + (kBuild / "prefix").string());
    expect_done("cmake -S " + kOutside.string() + " -B " + kBuild.string() +
                " -G Ninja -DCMAKE_PREFIX_PATH=" + (kBuild / "prefix").string());
    expect_done("cmake --build " + kBuild.string());
    ::close(lock);
  }

  static void expect_done(const std::string& command) {
    const auto [code, log] = shell(command);
    ASSERT_EQ(code, 0) << command << "\n" << log.substr(log.size() < 4000 ? 0 : log.size() - 4000);
  }

  /// Tunes with these arguments; returns the trials of the planted kernel by fault.
  static std::map<std::string, db::TrialView> verdicts(const std::string& arguments, const fs::path& database) {
    fs::remove(database);
    const auto [code, text] = shell((kBuild / "outside" / "tune").string() + " --pattern scale " + arguments +
                                    " --cache " + (kBuild / "test_cache").string() + " --db " + database.string());
    EXPECT_EQ(code, 1) << text;
    std::map<std::string, db::TrialView> found;
    for (auto& view : db::trials(db::Store(database, db::Mode::read_only), {.kernel = "planted"}))
      found[view.params.substr(view.params.rfind(':') + 1)] = view;
    return found;
  }

  static void expect_a_verdict_each(const std::map<std::string, db::TrialView>& found) {
    EXPECT_EQ(found.at("none}").trial.verdict, "passed");
    EXPECT_EQ(found.at("does_not_compile}").trial.verdict, "not compiled");
    EXPECT_EQ(found.at("hangs}").trial.verdict, "timed out");
    EXPECT_EQ(found.at("is_wrong_and_fast}").trial.verdict, "failed");
    EXPECT_EQ(found.at("changes_its_input}").trial.verdict, "failed");
    const std::string& bounds = found.at("writes_out_of_bounds}").trial.verdict;
    EXPECT_TRUE(bounds == "failed" || bounds == "crashed") << bounds;
    for (const auto& [fault, view] : found) {
      if (fault == "none}") continue;
      EXPECT_FALSE(view.trial.rank) << fault;
      EXPECT_FALSE(view.trial.median_us) << fault;
      EXPECT_FALSE(view.trial.detail.empty()) << fault;
    }
  }

  static void expect_a_right_best(const fs::path& database, const std::string& arch) {
    const db::Store store(database, db::Mode::read_only);
    const auto best = db::best(store, {.arch = arch, .pattern = "scale"});
    ASSERT_EQ(best.size(), 1U);
    EXPECT_EQ(best[0].winner.trial.verdict, "passed");
    if (best[0].winner.trial.provenance == "measured") {
      EXPECT_EQ(best[0].winner.certificates.size(), 1U);
    }
  }

  inline static const fs::path kTestData = fs::path(WARPWRIGHT_SOURCE_DIR) / "tuner" / "testdata";
  inline static const fs::path kBuild = fs::path(WARPWRIGHT_BINARY_DIR) / "outside";
  inline static const fs::path kOutside = kBuild / "source";
};

TEST_F(OutsideTheTree, PlantedConfigurationsEachHaveAVerdictOnTheSimulatorAndNoneIsBest) {
  ASSERT_NO_FATAL_FAILURE(build());
  const fs::path database = kBuild / "predicted.db";
  expect_a_verdict_each(verdicts("--arch sm_75 --predict", database));
  expect_a_right_best(database, "sm_75");

  // The findings are stored, and the next run of either program begins with them.
  const auto stored = db::Store(database, db::Mode::read_only).counterexamples("scale/planted");
  ASSERT_FALSE(stored.empty());
  EXPECT_LE(stored.size(), 3U);
  const std::string files = " --cache " + (kBuild / "test_cache").string() + " --db " + database.string();
  const auto [tuned, text] =
      shell((kBuild / "outside" / "tune").string() + " --pattern scale --arch sm_75 --predict" + files);
  EXPECT_EQ(tuned, 1) << text;
  const auto [conformed, words] = shell((kBuild / "outside" / "conform").string() + " scale/planted --cases 1" + files);
  EXPECT_EQ(conformed, 1) << words;
  const auto now = db::Store(database, db::Mode::read_only).counterexamples("scale/planted");
  for (const db::Counterexample& one : stored) {
    EXPECT_NE(text.find("stored counterexample FAILS still: " + one.repro), std::string::npos) << text;
    EXPECT_NE(unfolded(words).find("reproduce: conform --repro '" + one.repro + "'"), std::string::npos) << words;
    const auto again = std::ranges::find(now, one.repro, &db::Counterexample::repro);
    ASSERT_NE(again, now.end()) << one.repro;
    EXPECT_EQ(again->times_seen, one.times_seen + 2) << one.repro;
  }
}

TEST_F(OutsideTheTree, PlantedConfigurationsEachHaveAVerdictOnTheGpuAndNoneIsBest) {
  if (shell("nvidia-smi -L").first != 0) GTEST_SKIP() << "this machine has no GPU";
  ASSERT_NO_FATAL_FAILURE(build());
  const fs::path database = kBuild / "measured.db";
  const auto found = verdicts("--arch native", database);
  expect_a_verdict_each(found);
  // What one configuration damaged is not blamed on the next.
  EXPECT_NE(found.at("is_wrong_and_fast}").trial.detail.find("are wrong"), std::string::npos);
  expect_a_right_best(database, found.at("none}").trial.target);
  EXPECT_FALSE(db::Store(database, db::Mode::read_only).counterexamples("scale/planted").empty());
  EXPECT_NE(found.at("is_wrong_and_fast}").trial.detail.find("conform --repro"), std::string::npos);
}

TEST_F(OutsideTheTree, TheInstalledProgramsFindTheirWorker) {
  ASSERT_NO_FATAL_FAILURE(build());
  const auto [code, text] = shell("env -u WARPWRIGHT_WORKER " + (kBuild / "prefix" / "bin" / "conform").string() +
                                  " transpose/copy --cases 5 --cache " WARPWRIGHT_BINARY_DIR "/test_cache");
  EXPECT_EQ(code, 0) << text;
  EXPECT_FALSE(fs::exists(kBuild / "prefix" / "bin" / "worker"));
}

TEST_F(OutsideTheTree, ProgramsWithMoreKernelsStillHaveTheTreesOwn) {
  ASSERT_NO_FATAL_FAILURE(build());
  const auto [code, text] =
      shell((kBuild / "outside" / "conform").string() + " transpose/copy 'scale/plain' --cases 5 --cache " +
            (kBuild / "test_cache").string());
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("scale/plain"), std::string::npos) << text;
  EXPECT_NE(text.find("transpose/copy"), std::string::npos) << text;
}

TEST_F(OutsideTheTree, APatternOfItsOwnUsesNumbersDataObservationConstantsAndReasons) {
  ASSERT_NO_FATAL_FAILURE(build());
  const std::string cache = " --cache " + (kBuild / "test_cache").string();
  const std::string conform = (kBuild / "outside" / "conform").string();
  const auto [code, text] = shell(conform + " 'peaks/*' --cases 60 -v" + cache);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("60 cases"), std::string::npos) << text;
  EXPECT_NE(text.find("drawn cases replaced"), std::string::npos) << text;
  const std::string line =
      "kernel=peaks/append params={.block_size = 64, .vector_width = 4} "
      "problem=peaks[level=50,data=ramp,int,";
  const auto [fits, words] = shell(conform + " --repro '" + line + "100] input=data:3'" + cache);
  EXPECT_EQ(fits, 0) << words;
  const auto [refused, reason] = shell(conform + " --repro '" + line + "101] input=data:3'" + cache);
  EXPECT_EQ(refused, 2) << reason;
  EXPECT_NE(reason.find("skipped: needs whole vectors of elements"), std::string::npos) << reason;
  const auto [tuned, best] = shell((kBuild / "outside" / "tune").string() +
                                   " --arch sm_75 --predict --pattern peaks --with level=50,data=ramp --size 4096 "
                                   "--no-report --db " +
                                   (kBuild / "peaks.db").string() + cache);
  EXPECT_EQ(tuned, 0) << best;
  EXPECT_NE(best.find("4096 int, level=50, ramp append "), std::string::npos) << best;
}

TEST_F(OutsideTheTree, AnUnmodelledOperationHasNoVerdictAndBreaksNothing) {
  ASSERT_NO_FATAL_FAILURE(build());
  const std::string cache = " --cache " + (kBuild / "test_cache").string();
  const std::string reason = "no CPU model: inline PTX at scale/inline_ptx.cuh:";
  const auto [code, text] = shell((kBuild / "outside" / "conform").string() + " scale/inline_ptx --cases 30 --junit " +
                                  (kBuild / "ptx.xml").string() + cache);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("\nscale/inline_ptx.cuh:"), std::string::npos) << text;
  EXPECT_NE(text.find(": not modelled: inline PTX (in "), std::string::npos) << text;
  EXPECT_NE(text.find(": 1 kernel not modelled\n"), std::string::npos) << text;
  std::ifstream junit(kBuild / "ptx.xml");
  EXPECT_NE(std::string(std::istreambuf_iterator<char>(junit), {}).find("<skipped message=\"scale/inline_ptx.cuh:"),
            std::string::npos);
  const auto [mutants, table] =
      shell((kBuild / "outside" / "conform").string() + " scale/inline_ptx --mutants --mutants-limit 6" + cache);
  EXPECT_EQ(mutants, 0) << table;

  const fs::path database = kBuild / "ptx.db";
  fs::remove(database);
  const auto [tuned, words] = shell((kBuild / "outside" / "tune").string() +
                                    " --arch sm_90 --predict --pattern scale/inline_ptx --size 4096 --no-report --db " +
                                    database.string() + cache);
  EXPECT_EQ(tuned, 0) << words;
  const db::Store store(database, db::Mode::read_only);
  int not_modelled = 0;
  for (const db::TrialView& view : db::trials(store, {.kernel = "inline_ptx"})) {
    const db::Trial& trial = view.trial;
    const bool has_ptx = view.params.find(".streams = 1") != std::string::npos;
    EXPECT_EQ(trial.verdict, has_ptx ? "not modelled" : "passed") << trial.detail;
    EXPECT_GT(trial.predicted_us.value_or(0), 0);
    EXPECT_GT(trial.registers.value_or(0), 0) << "it was compiled for the GPU";
    EXPECT_EQ(store.accesses(trial.configuration_id, trial.problem_id, "sm_90").empty(), has_ptx);
    if (!has_ptx) continue;
    ++not_modelled;
    EXPECT_EQ(trial.detail.find(reason), 0U) << trial.detail;
    EXPECT_EQ(trial.simulated_cases, 0);
    EXPECT_FALSE(trial.rank);
  }
  EXPECT_EQ(not_modelled, 1);
  expect_done((kBuild / "prefix" / "bin" / "report").string() + " --db " + database.string() + " --out " +
              (kBuild / "ptx_report").string());
  int pages_that_say_so = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kBuild / "ptx_report")) {
    std::ifstream page(entry.path());
    pages_that_say_so +=
        std::string(std::istreambuf_iterator<char>(page), {}).find("not modelled") != std::string::npos;
  }
  EXPECT_EQ(pages_that_say_so, 1) << "the page of the problem";
}

TEST_F(OutsideTheTree, AnUnmodelledOperationIsVerifiedOnTheGpuAndTheCertificateSaysSo) {
  if (shell("nvidia-smi -L").first != 0) GTEST_SKIP() << "this machine has no GPU";
  ASSERT_NO_FATAL_FAILURE(build());
  const fs::path database = kBuild / "ptx_measured.db";
  fs::remove(database);
  const auto [code, text] = shell((kBuild / "outside" / "tune").string() +
                                  " --arch native --pattern scale/inline_ptx --size 4194304 --no-report --db " +
                                  database.string() + " --cache " + (kBuild / "test_cache").string());
  EXPECT_EQ(code, 0) << text;
  const db::Store store(database, db::Mode::read_only);
  const auto trials = db::trials(store, {.kernel = "inline_ptx"});
  ASSERT_FALSE(trials.empty());
  const auto best = db::best(store, {.arch = trials.front().trial.target, .pattern = "scale"});
  ASSERT_EQ(best.size(), 1U);
  for (const db::TrialView& view : trials) EXPECT_EQ(view.trial.verdict, "passed") << view.trial.detail;
  ASSERT_EQ(best[0].winner.certificates.size(), 1U);
  const db::Certificate& certificate = best[0].winner.certificates[0];
  const bool has_ptx = best[0].winner.params.find(".streams = 1") != std::string::npos;
  EXPECT_EQ(certificate.not_modelled.find("no CPU model: inline PTX") == 0, has_ptx) << certificate.not_modelled;
  if (!has_ptx) {
    EXPECT_GT(certificate.simulated_cases, 0);
  }
}

TEST_F(OutsideTheTree, ExportedSettingsCompileWithTheInstalledDeviceHeaders) {
  ASSERT_NO_FATAL_FAILURE(build());
  const std::string database = (kBuild / "exported.db").string();
  const std::string programs = (kBuild / "prefix" / "bin").string();
  fs::remove(database);
  expect_done(programs +
              "/tune --arch sm_75 --predict --pattern transpose/copy --with op=copy --type float --evaluations 2" +
              " --cache " WARPWRIGHT_BINARY_DIR "/test_cache --db " + database);
  expect_done(programs + "/tunedb export --format hpp --db " + database + " --output " +
              (kBuild / "best_settings.hpp").string());
  std::ofstream(kBuild / "settings.cpp")
      << "#include \"best_settings.hpp\"\n"
         "constexpr int chosen =\n"
         "    warpwright::settings::sm_75::transpose::types_float::op_copy::select(\n"
         "        8000, 8000, [](auto best) { return best.params.block_size; });\n"
         "static_assert(chosen >= 32);\n";
  expect_done("c++ -std=c++20 -fsyntax-only -I " + (kBuild / "prefix" / "include" / "warpwright").string() + " " +
              (kBuild / "settings.cpp").string());
}

TEST_F(OutsideTheTree, TheTutorialsOfTheDocsBuildAndWork) {
  const auto text_of = [](const fs::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto page = [&](const char* name) { return text_of(fs::path(WARPWRIGHT_SOURCE_DIR) / "docs" / name); };
  const std::string of_kernel = page("adding_a_kernel.md");
  const std::string of_pattern = page("adding_a_pattern.md");
  for (const char* name :
       {"kernels/transpose/strided_walk.cuh", "kernels/transpose/strided_walk.cpp", "CMakeLists.txt"})
    EXPECT_NE(of_kernel.find(text_of(kTestData / name) + "```"), std::string::npos) << name << " is not as on the page";
  for (const char* name : {"kernels/peaks/data.cuh", "kernels/peaks/append.cuh", "kernels/peaks/check.cuh",
                           "kernels/peaks/pattern.cpp", "kernels/peaks/append.cpp"})
    EXPECT_NE(of_pattern.find(text_of(kTestData / name) + "```"), std::string::npos)
        << name << " is not as on the page";
  ASSERT_NO_FATAL_FAILURE(build());
  fs::remove(kBuild / "example.db");
  for (const std::string program : {"conform transpose/strided_walk --cases 40",
                                    "tune --arch sm_75 --pattern transpose/strided_walk --size 512x512 --type float"}) {
    EXPECT_NE(of_kernel.find("build/outside/" + program), std::string::npos) << program;
    const bool tunes = program.starts_with("tune");
    expect_done((kBuild / "outside" / program).string() + " --cache " + (kBuild / "test_cache").string() +
                (tunes ? " --predict --db " + (kBuild / "example.db").string() : ""));
  }
}

/// Configures the source tree with additional kernels, which writes the registry; compiles nothing.
TEST_F(OutsideTheTree, FoldersNamedToTheTreesOwnBuildAreInItsRegistry) {
  const fs::path folder = kBuild / "configured";
  const std::string configure = "cmake -S " WARPWRIGHT_SOURCE_DIR " -B " + folder.string() + " -G Ninja ";
  const auto [code, log] = shell(configure + "-DWARPWRIGHT_KERNELS=" + (kTestData / "kernels").string());
  ASSERT_EQ(code, 0) << log;
  std::ifstream file(folder / "kernels" / "registry.cpp");
  const std::string registry(std::istreambuf_iterator<char>(file), {});
  for (const char* call : {"scale::scale_pattern()", "\"scale/planted.cuh\"", "reduce::reduce_pattern()",
                           "\"kernels/reduce/sequential.cuh\""})
    EXPECT_NE(registry.find(call), std::string::npos) << call;
  const auto [refused, words] = shell(configure + "-DWARPWRIGHT_KERNELS=/nowhere");
  EXPECT_NE(refused, 0);
  EXPECT_NE(words.find("/nowhere, which is no folder"), std::string::npos) << words;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warpwright::tuner
