// Tests of the programs `tune` and `conform` on a machine with several GPUs, which a fake worker simulates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "conformance/suite/counterexamples.hpp"
#include "db/query/query.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"
#include "kernels/system/waiting.hpp"
#include "tuner/measuring/gpu_lock.hpp"

namespace warpwright::tuner {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const fs::path kBuild = WARPWRIGHT_BINARY_DIR;

class SeveralGpus : public testing::Test {
 protected:
  std::string command_of(const std::string& command, const std::string& settings = "") const {
    return "WARPWRIGHT_WORKER=" + (kBuild / "tuner/fake_gpu_worker").string() +
           " WARPWRIGHT_FAKE_FOLDER=" + fakes_.path().string() + " WARPWRIGHT_FAKE_GPUS='" + gpus_ + "' " + settings +
           " " + (kBuild / "bin" / command).string();
  }

  simulator::ProcessResult run(const std::string& command, const std::string& settings = "") const {
    return simulator::run_process({"bash", "-c", command_of(command, settings)}, "",
                                  time_factor * std::chrono::minutes(9));
  }

  std::string tuning(const std::string& devices) const {
    return "tune --arch native --pattern transpose/copy --with op=copy --type float --size 512x512 --no-baselines "
           "--no-report --set vectors_per_thread=1 --cache " +
           (kBuild / "test_cache").string() + " --db " + (folder_ / "a.db").string() + " " + devices;
  }

  simulator::ProcessResult tune(const std::string& devices, const std::string& settings = "") const {
    return run(tuning(devices), settings);
  }

  /// How often that GPU got that request.
  std::ptrdiff_t asked(int gpu, const std::string& what) const {
    std::ifstream file(fakes_ / ("gpu" + std::to_string(gpu)));
    std::ptrdiff_t times = 0;
    for (std::string line; std::getline(file, line);) times += line == what ? 1 : 0;
    return times;
  }

  std::string uuid(int gpu) const { return fakes_.path().filename().string() + "-" + std::to_string(gpu); }

  /// By board, the params of its trials of the search, or if `ranked` those of the finalists.
  std::map<std::string, std::multiset<std::string>> trials(bool ranked = false) const {
    std::map<std::string, std::multiset<std::string>> found;
    for (const db::TrialView& view : db::trials(db::Store(folder_ / "a.db", db::Mode::read_only), {}))
      if (view.trial.rank.has_value() == ranked) found[view.board->model].insert(view.params);
    return found;
  }

  std::set<std::string> sessions_ended() const {
    std::set<std::string> found;
    for (const db::Session& session : db::Store(folder_ / "a.db", db::Mode::read_only).sessions())
      found.insert(session.ended_how.value_or("not ended"));
    return found;
  }

  const TemporaryFolder folder_, fakes_;
  std::string gpus_ = "H200,H200";
};

TEST_F(SeveralGpus, AreAllTunedAtTheSameTimeAndMeasureEachPointOnce) {
  const auto done = tune("--devices all");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  for (const int gpu : {0, 1}) EXPECT_THAT(asked(gpu, "trial"), Ge(2)) << gpu;
  EXPECT_EQ(asked(0, "rounds") + asked(1, "rounds"), 1);
  const auto found = trials();
  ASSERT_THAT(found, SizeIs(1));
  const auto& params = found.begin()->second;
  EXPECT_EQ(std::set<std::string>(params.begin(), params.end()).size(), params.size());
  EXPECT_THAT(params.size(), Ge(8));
  const std::string count = std::to_string(params.size());
  EXPECT_THAT(done.output, HasSubstr(count + " configurations measured"));
  EXPECT_THAT(sessions_ended(), testing::ElementsAre("complete"));
  const std::size_t finalists = trials(true).begin()->second.size();
  const auto again = tune("--devices 0,1");
  EXPECT_THAT(again.output, AllOf(HasSubstr(" " + std::to_string(finalists) + " configuration"),
                                  HasSubstr(std::to_string(params.size() - finalists) + " known from earlier runs")));
}

TEST_F(SeveralGpus, ByDefaultTheFirstOneIsUsedAndAnyCanBeNamedInBothSpellings) {
  EXPECT_EQ(tune("--evaluations 2 --strategy random").exit_code, 0);
  EXPECT_EQ(asked(1, "trial"), 0);
  const std::ptrdiff_t before = asked(0, "trial");
  EXPECT_EQ(tune("--evaluations 2 --strategy random --device 1").exit_code, 0);
  EXPECT_EQ(asked(0, "trial"), before);
  EXPECT_THAT(asked(1, "trial"), Ge(2));
}

TEST_F(SeveralGpus, OfDifferentModelsAreTunedSeparately) {
  gpus_ = "H200,Tesla T4";
  const auto done = tune("--devices all");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  const auto ranked = trials(true), all = trials();
  EXPECT_THAT(ranked, SizeIs(2)) << "each has a winner";
  EXPECT_THAT(all, SizeIs(2));
  for (const auto& [board, params] : all) EXPECT_THAT(params.size(), Ge(8)) << board;
  EXPECT_THAT(asked(1, "trial"), Ge(8));
}

TEST_F(SeveralGpus, ADeterministicBestIsFoundInTheBudgetAndNeedsEqualBits) {
  const auto done = run(
      "tune --arch native --pattern transpose/copy --with op=copy --type float --size 2048x2048 --no-baselines "
      "--no-report --set vectors_per_thread=1 --evaluations 2 --strategy random --deterministic --budget 30s --cache " +
      (kBuild / "test_cache").string() + " --db " + (folder_ / "a.db").string());
  EXPECT_EQ(done.exit_code, 0) << done.output;
  const auto found =
      db::best(db::Store(folder_ / "a.db", db::Mode::read_only), {.arch = "sm_90", .deterministic = true});
  ASSERT_THAT(found, SizeIs(1)) << done.output;
  EXPECT_EQ(found[0].winner.trial.deterministic, true);
}

TEST_F(SeveralGpus, SayWhyNoConfigurationIsTheBest) {
  const auto too_fast =
      run("tune --arch native --pattern transpose/copy --with op=copy --type float --size 8192x8192 --no-baselines "
          "--no-report --set vectors_per_thread=1 --cache " +
              (kBuild / "test_cache").string() + " --db " + (folder_ / "a.db").string(),
          "WARPWRIGHT_FAKE_US=1");
  EXPECT_EQ(too_fast.exit_code, 1);
  EXPECT_THAT(too_fast.output,
              ContainsRegex("none of its configurations can be used \\([0-9]+ too fast to be true\\): tunedb trials "
                            "--pattern transpose"));
}

TEST_F(SeveralGpus, TheLeastEnergyNeedsACounter) {
  const auto none = tune("--objective energy");
  EXPECT_EQ(none.exit_code, 3) << none.output;
  EXPECT_THAT(none.output, HasSubstr("no energy counter: NVML reads none of GPU 0"));
  const auto done = tune("--objective energy", "WARPWRIGHT_FAKE_ENERGY=1");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr(" ENERGY "), HasSubstr(" uJ "), HasSubstr("--objective energy")));
  const db::Store store(folder_ / "a.db", db::Mode::read_only);
  const db::Trial least = db::best(store, {.arch = "sm_90", .objective = Objective::energy}).at(0).winner.trial;
  for (const db::TrialView& view : db::trials(store, {})) {
    ASSERT_TRUE(view.trial.joules) << view.params;
    EXPECT_GE(*view.trial.joules, *least.joules);
  }
}

TEST_F(SeveralGpus, OneThatIsLostLeavesItsWorkToTheOthers) {
  const auto done = tune("--devices all", "WARPWRIGHT_FAKE_LOST=1:6");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("GPU 1 is left out, and the others do its work: the GPU has fallen off the bus"));
  const auto found = trials();
  ASSERT_THAT(found, SizeIs(1));
  const auto& params = found.begin()->second;
  EXPECT_EQ(std::set<std::string>(params.begin(), params.end()).size(), params.size());
  EXPECT_THAT(trials(true), SizeIs(1));
  EXPECT_THAT(sessions_ended(), testing::ElementsAre("complete", "failed"));
}

TEST_F(SeveralGpus, IfOneIsLostWhileItReplaysCounterexamplesAnotherReplaysThem) {
  const Kernel& kernel = *catalogue().matching(std::vector<std::string>{"transpose/copy"}).front();
  conformance::Case wrong;
  wrong.kernel = &kernel;
  wrong.params = kernel.default_point;
  wrong.problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {64, 64});
  wrong.input = parse_input("exact:1");
  wrong.target = "sm_90";
  {
    db::Store store(folder_ / "a.db");
    conformance::store_counterexample(store, wrong, "of a test");
  }
  const auto done = tune("--devices all", "WARPWRIGHT_FAKE_LOST=first:run");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("is left out, and the others do its work"));
  EXPECT_THAT(done.output, HasSubstr("stored counterexample passes now: kernel=transpose/copy"));
  EXPECT_THAT(asked(0, "run"), Ge(1));
  EXPECT_THAT(asked(1, "run"), Ge(1));
  EXPECT_THAT(sessions_ended(), testing::ElementsAre("complete", "failed"));
}

TEST_F(SeveralGpus, OneThatAnotherTunerUsesIsLeftOutAndIfAllAreTheRunEnds) {
  const GpuLock busy(uuid(1));
  const auto done = tune("--devices all");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_THAT(done.output,
              HasSubstr("GPU 1 is left out, and the others do its work: another run of tune uses the GPU"));
  EXPECT_EQ(asked(1, "trial"), 0);
  const GpuLock busy_too(uuid(0));
  const auto none = tune("--devices all");
  EXPECT_EQ(none.exit_code, 3) << none.output;
  EXPECT_THAT(none.output, HasSubstr("another run of tune uses the GPU"));
  EXPECT_EQ(tune("").exit_code, 3);
}

TEST(GpuLocks, AFileThatCannotBeOpenedIsNotTakenForAnotherRun) {
  const std::string uuid = "GPU-test-" + std::to_string(getpid());
  const fs::path path = "/tmp/warpwright-" + uuid + ".lock";
  fs::create_directory(path);
  EXPECT_THAT([&] { const GpuLock lock(uuid); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("cannot be opened")));
  fs::remove(path);
}

TEST_F(SeveralGpus, IfAllAreLostTheRunEndsAndStoredTrialsStay) {
  gpus_ = "H200";
  const auto done = tune("--devices all", "WARPWRIGHT_FAKE_LOST=0:6");
  EXPECT_EQ(done.exit_code, 3) << done.output;
  EXPECT_THAT(done.output, HasSubstr("the GPU has fallen off the bus"));
  EXPECT_THAT(trials(), Not(IsEmpty()));
  EXPECT_THAT(trials(true), IsEmpty());
}

TEST_F(SeveralGpus, EndAtOnceWhenTheUserStopsThem) {
  simulator::ChildProcess child({"bash", "-c",
                                 "exec env " + command_of(tuning("--devices all"), "WARPWRIGHT_FAKE_MS=400") + " >" +
                                     (folder_ / "log").string() + " 2>&1"});
  const auto trials_asked = [&] { return asked(0, "trial") + asked(1, "trial"); };
  ASSERT_TRUE(eventually([&] { return trials_asked() >= 3; }));
  child.kill(SIGINT);
  EXPECT_EQ(child.wait().exit_code, 130);
  const std::ptrdiff_t of_the_interrupted = trials_asked();
  EXPECT_EQ(tune("--devices all").exit_code, 0);
  EXPECT_GT(trials_asked() - of_the_interrupted, of_the_interrupted) << "it went on for most of it";
  EXPECT_THAT(sessions_ended(), testing::UnorderedElementsAre("interrupted", "complete"));
}

TEST_F(SeveralGpus, NamedWronglyAreAnErrorThatNamesTheValidWords) {
  for (const char* words : {"--devices x", "--devices 0,0", "--device -1"})
    EXPECT_EQ(tune(words).exit_code, 2) << words;
  EXPECT_THAT(tune("--devices some").output, HasSubstr("--devices takes all, or indices"));
  EXPECT_EQ(tune("--devices 1 --predict").exit_code, 2);
  const auto other =
      run("tune --arch sm_75 --devices all --pattern transpose/copy --db " + (folder_ / "b.db").string());
  EXPECT_EQ(other.exit_code, 3) << "nothing is predicted where GPUs were asked for";
  EXPECT_THAT(other.output, HasSubstr("no sm_75 GPU: leave out --devices to predict for one"));
  const auto missing = tune("--devices 0,5");
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.output, HasSubstr("no GPU 5"));
}

TEST_F(SeveralGpus, ShareTheKernelsOfConform) {
  const std::string command =
      "conform transpose/copy reduce/sequential --target native --cases 4 --points 1 --max-steps 64 --devices all "
      "--cache " +
      (kBuild / "test_cache").string();
  // The fake GPU only copies, so only copies are right.
  const auto done = run(command);
  EXPECT_THAT(done.output, AllOf(HasSubstr("reduce/sequential"), HasSubstr("transpose/copy")));
  EXPECT_EQ(done.exit_code, 1) << done.output;
  for (const int gpu : {0, 1}) EXPECT_THAT(asked(gpu, "run"), Ge(1)) << gpu;
  const auto lost = run(command, "WARPWRIGHT_FAKE_LOST=1:0");
  EXPECT_THAT(lost.output, AllOf(HasSubstr("GPU 1 is left out, and the others run its cases"),
                                 HasSubstr("reduce/sequential"), HasSubstr("transpose/copy")));
  EXPECT_EQ(lost.exit_code, 1) << lost.output;
  const auto on_host = run("conform transpose/copy --devices all");
  EXPECT_EQ(on_host.exit_code, 2);
  EXPECT_THAT(on_host.output, HasSubstr("--devices chooses GPUs"));
}

TEST_F(SeveralGpus, KeepTheBudgetOfAJobWhoseRightAnswersTakeTheCpuLong) {
  gpus_ = "H200";
  std::ofstream(folder_ / "copied.cu") << R"raw(
__global__ void copied(const float* x, float* y, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i];
}
)raw";
  std::ofstream(folder_ / "slow.cpp") << R"raw(
#include <chrono>
#include <thread>
void slow(const float* x, float* y, int n) {
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  for (int i = 0; i < n; ++i) y[i] = x[i];
}
)raw";
  std::ofstream(folder_ / "copied.json") << R"raw({
  "extents": ["n"], "params": {"BLOCK": [64, 128]},
  "buffers": {"x": {"role": "in", "type": "float", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
  "steps": {"kernel": "copied", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "shapes": ["2^20"],
  "oracle": {"function": "slow", "file": "slow.cpp", "arguments": ["x", "y", "n"]}, "bound": {"depth": 1}
})raw";
  const std::string job = (folder_ / "copied.json").string() + " --cache " + (kBuild / "test_cache").string();
  run("conform --cases 1 " + job);  // compiles
  const auto begin = std::chrono::steady_clock::now();
  const auto done =
      run("tune --arch native --budget 16s --no-baselines --no-report --db " + (folder_ / "a.db").string() + " " + job);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_LT(took.count(), time_factor * 24) << done.output;
}

}  // namespace
}  // namespace warpwright::tuner
