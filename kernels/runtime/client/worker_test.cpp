// Tests of workers and compiling: a hang or a crash costs one call, and a cached program is not compiled again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>

#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/client/scripted_worker.hpp"
#include "kernels/runtime/cubin/cubin.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::worker {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const fs::path kWorker = fs::path(WARPWRIGHT_BINARY_DIR) / "bin" / "worker";
constexpr milliseconds kWaitLimit{60'000};

/// A script instead of the worker: it greets, and then does what the text says.
fs::path script(const TemporaryFolder& folder, const std::string& text) {
  const fs::path path = folder / "script";
  std::ofstream(path) << "#!/bin/bash\n" << bash_to_greet() << "\n" << text << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(Process, AnswersAndRefusesWithAReason) {
  Process process(kWorker);
  EXPECT_TRUE(process.call(Describe(), kWaitLimit).ok());
  const auto refused = process.call(Compile{.sources = {}, .programs = {}, .target = "host/nowhere"}, kWaitLimit);
  EXPECT_EQ(refused.status, CallStatus::refused);
  EXPECT_FALSE(refused.detail.empty());
  EXPECT_TRUE(process.call(Describe(), kWaitLimit).ok());
}

TEST(Process, AHangingWorkerIsKilledWithItsChildProcesses) {
  const TemporaryFolder folder;
  const fs::path pids = folder / "pids";
  const fs::path worker = script(folder, "wait");
  // Its child processes are known before it greets, because the time of a call begins with the greeting.
  const std::string starts = "#!/bin/bash\nsleep infinity & echo $! >> " + pids.string() + "\n";
  std::ofstream(folder / "starts") << starts << "source " << worker.string() << "\n";
  fs::permissions(folder / "starts", fs::perms::owner_all);
  Process process(folder / "starts");
  EXPECT_EQ(process.call(Describe(), milliseconds(1)).status, CallStatus::timed_out);
  std::ifstream file(pids);
  int started = 0;
  for (pid_t pid = 0; file >> pid; ++started)
    EXPECT_TRUE(eventually([pid] { return !is_running(pid); })) << "it outlives the worker that started it";
  EXPECT_EQ(started, 2) << "a time limit is met twice";
}

TEST(Process, AMissingProgramSaysWhatToDo) {
  Process process("/nowhere/worker");
  try {
    process.call(Describe(), kWaitLimit);
    FAIL() << "started a program that is not there";
  } catch (const EnvironmentFault& error) {
    EXPECT_NE(std::string(error.what()).find("WARPWRIGHT_WORKER"), std::string::npos);
  }
}

class Compiling : public testing::Test {
 protected:
  void SetUp() override { ::setenv("WARPWRIGHT_WORKER", kWorker.c_str(), 1); }
  void TearDown() override { ::unsetenv("WARPWRIGHT_WORKER"); }

  const SourceTree sources_{{"good.cuh", "template <int N> __global__ void good(float* out) { *out = N; }\n"},
                            {"bad.cuh", "template <int N> __global__ void bad(float* out) { out = N; }\n"}};
  const Program good_{.source = "good.cuh", .entries = {"good<1>", "good<2>"}};
  const Program other_{.source = "good.cuh", .entries = {"good<3>"}};
  const Program bad_{.source = "bad.cuh", .entries = {"bad<1>"}};
  const TemporaryFolder folder_;
  Pool pool_{2};
};

TEST_F(Compiling, AnErrorAffectsNoOtherProgramAndFailuresAreCachedToo) {
  const DiskCache cache(folder_.path());
  {
    Compiler compiler(pool_, cache, sources_);
    if (!compiler.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler.toolchain().nvrtc_error;
    const auto built = compiler.compile("sm_75", {good_, bad_, other_});
    ASSERT_TRUE(built[0].get().ok) << built[0].get().log;
    EXPECT_GT(built[0].get().instances.at("good<2>").resources.registers, 0);
    EXPECT_FALSE(built[1].get().ok);
    EXPECT_NE(built[1].get().log.find("error"), std::string::npos);
    EXPECT_TRUE(built[2].get().ok);
    EXPECT_EQ(compiler.compiled(), 3);
  }
  Compiler again(pool_, cache, sources_);
  const auto built = again.compile("sm_75", {good_, bad_, other_});
  EXPECT_TRUE(built[0].get().ok);
  EXPECT_FALSE(built[1].get().ok);
  EXPECT_EQ(again.compiled(), 0);
  EXPECT_EQ(again.cached(), 3);
}

TEST_F(Compiling, ACompilerThatEndsEarlyWaitsForProgramsBegunAndDropsTheRest) {
  const DiskCache cache(folder_.path());
  std::vector<Program> many;
  for (int i = 0; i < 400; ++i) many.push_back({.source = "good.cuh", .entries = {"good<" + std::to_string(i) + ">"}});
  std::vector<CompileResult> built;
  {
    Compiler compiler(pool_, cache, sources_);
    if (!compiler.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler.toolchain().nvrtc_error;
    built = compiler.compile("sm_75", many);
  }
  const CompiledProgram last = built.back().get();
  EXPECT_FALSE(last.ok);
  EXPECT_TRUE(last.transient) << last.log;
}

TEST_F(Compiling, AWithdrawnProgramIsNotCompiledUnlessItIsRequestedElsewhereOrAgain) {
  const DiskCache cache(folder_.path());
  Pool one(1);
  Compiler compiler(one, cache, sources_);
  if (!compiler.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler.toolchain().nvrtc_error;
  std::promise<void> go;
  auto held = one.submit([waited = go.get_future().share()](Process&) { waited.wait(); });
  const auto first = compiler.compile("sm_75", {good_, other_});
  const auto second = compiler.compile("sm_75", {other_});
  compiler.give_up("sm_75", {good_, other_});
  go.set_value();
  EXPECT_TRUE(second[0].get().ok);
  const CompiledProgram dropped = first[0].get();
  EXPECT_FALSE(dropped.ok);
  EXPECT_TRUE(dropped.transient) << dropped.log;
  EXPECT_EQ(compiler.compiled(), 1);
  EXPECT_TRUE(compiler.compile("sm_75", {good_}).front().get().ok);
}

TEST(Pools, UrgentTasksComeBeforeAllOthersAndThoseThatCanWaitAfterThem) {
  Pool one(1);
  std::promise<void> go;
  auto held = one.submit([waited = go.get_future().share()](Process&) { waited.wait(); });
  std::string order;
  const auto adds = [&order](char which) { return [&order, which](Process&) { order += which; }; };
  auto last = one.submit(adds('e'), Urgency::can_wait);
  one.submit(adds('c'));
  one.submit(adds('d'));
  one.submit(adds('a'), Urgency::at_once);
  one.submit(adds('b'), Urgency::at_once);
  go.set_value();
  last.get();
  EXPECT_EQ(order, "abcde");
}

TEST(Pools, ProcessesOfItsTasksHaveItsNiceness) {
  const auto niceness = [](Pool& pool) {
    return pool.submit([](Process&) { return simulator::run_process({"nice"}, "/", Stop()).output; }).get();
  };
  Pool usual(1), nice(1, {}, 19);
  EXPECT_NE(niceness(usual), "19\n");
  EXPECT_EQ(niceness(nice), "19\n");
}

TEST_F(Compiling, AWithdrawnProgramAlsoWithdrawsTheFunctionsOfItsHostSteps) {
  const DiskCache cache(folder_.path());
  SourceTree sources = sources_;
  sources["steps.cuh"] = "inline void twice(int* value) { *value *= 2; }\n";
  sources[std::string(kHostCalls)] = "";
  Program program = good_;
  program.host_functions = {{"twice", "steps.cuh"}};
  Pool one(1);
  Compiler compiler(one, cache, sources);
  if (!compiler.toolchain().host_error.empty()) GTEST_SKIP() << compiler.toolchain().host_error;
  std::promise<void> go;
  auto held = one.submit([waited = go.get_future().share()](Process&) { waited.wait(); });
  const CompileResult result = compiler.compile("host/sm_75", {program}).front();
  compiler.give_up("host/sm_75", {program});
  go.set_value();
  EXPECT_TRUE(result.get().transient) << result.get().log;
  one.submit([](Process&) {}).get();
  EXPECT_EQ(compiler.compiled(), 0);
}

TEST_F(Compiling, TheCodeHashDoesNotDependOnOtherProgramsOfTheModule) {
  const DiskCache cache(folder_.path());
  SourceTree commented = sources_;
  commented["good.cuh"] = "// a comment changes nothing\n" + commented["good.cuh"];
  Compiler compiler(pool_, cache, sources_);
  if (!compiler.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler.toolchain().nvrtc_error;
  const CompiledProgram alone = compiler.compile_one("sm_75", other_);
  const CompiledProgram both = compiler.compile_one("sm_75", {.source = "good.cuh", .entries = {"good<3>", "good<4>"}});
  Compiler changed(pool_, cache, commented);
  const CompiledProgram same = changed.compile_one("sm_75", other_);
  EXPECT_EQ(changed.compiled(), 1);
  EXPECT_EQ(alone.code_hash(), same.code_hash());
  EXPECT_EQ(alone.instances.at("good<3>").code_hash, both.instances.at("good<3>").code_hash);
  EXPECT_NE(both.instances.at("good<3>").code_hash, both.instances.at("good<4>").code_hash);
}

TEST_F(Compiling, AnUnknownArchitectureIsAFailureWithTheCompilersMessage) {
  const DiskCache cache(folder_.path());
  Compiler compiler(pool_, cache, sources_);
  if (!compiler.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler.toolchain().nvrtc_error;
  const CompiledProgram built = compiler.compile_one("sm_12", other_);
  EXPECT_FALSE(built.ok);
  EXPECT_FALSE(built.log.empty());
}

TEST(PtxasLog, GivesResourcesPerKernel) {
  const auto found = gpu::parse_ptxas_log(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_75'\n"
      "ptxas         .     8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n"
      "ptxas info    : Used 12 registers, used 1 barriers, 4224 bytes smem, 376 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function '_Z1jv' for 'sm_75'\n"
      "ptxas info    : Used 8 registers\n"
      "ptxas info    : Compile time = 99.690 ms\n");
  EXPECT_EQ(found.at("_Z1jv").text,
            "ptxas info    : Compiling entry function '_Z1jv' for 'sm_75'\nptxas info    : Used 8 registers\n");
  ASSERT_TRUE(found.contains("_Z1kPf"));
  EXPECT_EQ(found.at("_Z1kPf").resources, (Resources{.registers = 12,
                                                     .spill_store_bytes = 16,
                                                     .spill_load_bytes = 24,
                                                     .stack_bytes = 8,
                                                     .static_shared = 4224,
                                                     .barriers = 1}));
}

TEST(PtxasLog, AFileThatIsNoCubinIsRefused) {
  EXPECT_THROW((void)gpu::code_hash("", "k"), std::runtime_error);
  EXPECT_THROW((void)gpu::code_hash(std::string(200, 'x'), "k"), std::runtime_error);
}

}  // namespace
}  // namespace warpwright::worker
