// Tests of comparing compute-sanitizer with the simulator: parsing its output, and runs with a script in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/checks/case_runner.hpp"
#include "conformance/program/sanitizer.hpp"
#include "conformance/program/sanitizer_tool.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

TEST(SanitizerOutput, IsEmptyWithoutFindings) {
  const auto report = read_sanitizer_output("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n", false);
  EXPECT_TRUE(report.finished);
  EXPECT_EQ(report.errors, 0);
  EXPECT_EQ(report.how, "");
  EXPECT_EQ(report.first, "");
}

TEST(SanitizerOutput, AnInvalidAccessIsBounds) {
  const auto report = read_sanitizer_output(
      "========= COMPUTE-SANITIZER\n"
      "a line of the program\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at work+0x60 in kernels/x.cuh:6\n"
      "=========     by thread (3,0,0) in block (1,0,0)\n"
      "=========     Access at 0x7f00 is out of bounds\n"
      "========= \n"
      "========= Program hit CUDA_ERROR_LAUNCH_FAILED (error 719) on CUDA API call to cuStreamSynchronize.\n"
      "========= ERROR SUMMARY: 2 errors\n",
      false);
  EXPECT_EQ(report.errors, 2);
  EXPECT_EQ(report.how, "out of bounds");
  EXPECT_THAT(report.first, HasSubstr("Invalid __global__ write of size 4 bytes; at work+0x60 in kernels/x.cuh:6"));
}

TEST(SanitizerOutput, AMisalignedAccessIsReported) {
  const auto report = read_sanitizer_output(
      "========= Invalid __global__ read of size 16 bytes\n=========     Access at 0x7f04 is misaligned\n"
      "========= ERROR SUMMARY: 1 error\n",
      false);
  EXPECT_EQ(report.how, "misaligned");
}

TEST(SanitizerOutput, HazardsAreRacesInEitherForm) {
  EXPECT_EQ(read_sanitizer_output("========= Error: Race reported between Write access at work+0x1 and Read access at "
                                  "work+0x2 [64 hazards]\n========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 "
                                  "warnings)\n",
                                  false)
                .how,
            "race");
  EXPECT_EQ(
      read_sanitizer_output("========= Warning: (Warp Level Programming) Potential RAW hazard detected at "
                            "__shared__ 0x8 in block (0,0,0)\n========= RACECHECK SUMMARY: 2 hazards displayed (0 "
                            "errors, 2 warnings)\n",
                            false)
          .how,
      "race");
  EXPECT_EQ(
      read_sanitizer_output("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n", false).how,
      "");
}

TEST(SanitizerOutput, UninitialisedReadsBarriersAndUnknownFindingsAreReported) {
  EXPECT_EQ(
      read_sanitizer_output(
          "========= Uninitialized __global__ memory read of size 4 bytes\n========= ERROR SUMMARY: 9 errors\n", false)
          .how,
      "uninitialised read");
  EXPECT_EQ(read_sanitizer_output("========= Barrier error detected. Divergent thread(s) in block\n"
                                  "========= ERROR SUMMARY: 96 errors\n",
                                  false)
                .how,
            "barrier divergence");
  EXPECT_EQ(read_sanitizer_output("========= Something new\n========= ERROR SUMMARY: 1 error\n", false).how, "other");
}

TEST(SanitizerOutput, WithoutASummaryTheToolDidNotFinish) {
  EXPECT_FALSE(read_sanitizer_output("========= COMPUTE-SANITIZER\n========= Internal error\n", false).finished);
  EXPECT_FALSE(read_sanitizer_output("", false).finished);
  const auto hung = read_sanitizer_output("========= COMPUTE-SANITIZER\n", true);
  EXPECT_TRUE(hung.finished);
  EXPECT_EQ(hung.how, "hang");
}

TEST(SanitizerCommand, RunsTheWorkerOverAFile) {
  EXPECT_THAT(sanitizer_command("cs", "racecheck", "/b/worker", "/t/1.cbor"),
              testing::ElementsAre("cs", "--tool", "racecheck", "--print-limit", "3", "--show-backtrace", "no",
                                   "/b/worker", "--answer", "/t/1.cbor"));
}

/// A folder with a script named compute-sanitizer, first on the PATH during its lifetime.
class FakeSanitizer {
 public:
  explicit FakeSanitizer(const std::string& script) : path_(std::getenv("PATH")) {
    const auto program = folder_ / "compute-sanitizer";
    std::ofstream(program) << "#!/bin/sh\ncase \"$*\" in *--version*) echo fake; exit 0;; esac\n" << script << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder().string() + ":" + path_).c_str(), 1);
  }
  ~FakeSanitizer() { ::setenv("PATH", path_.c_str(), 1); }
  FakeSanitizer(const FakeSanitizer&) = delete;
  FakeSanitizer& operator=(const FakeSanitizer&) = delete;

  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

class SanitizerRuns : public testing::Test {
 protected:
  void SetUp() override {
    const SourceTree none;
    worker::Compiler compiler(pool_, cache_, none);
    const worker::Toolchain& tools = compiler.toolchain();
    if (!tools.host_error.empty() || !tools.nvrtc_error.empty()) GTEST_SKIP() << tools.host_error << tools.nvrtc_error;
  }
  SanitizerSummary run(SanitizerCommand mode) {
    mode.globs = {"transpose/copy"};
    mode.limit = 2;
    mode.jobs = 2;
    mode.cases = 2;
    const GpuTarget gpu{.device = {.model = "none", .compute_capability = 90, .sm_count = 132}, .index = 0};
    return run_sanitizer_command(catalogue(), pool_, cache_, gpu, mode);
  }
  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
};

TEST_F(SanitizerRuns, StoreBothVerdictsOfKernelsAndMutants) {
  const FakeSanitizer fake(
      "for last; do :; done\ntest -s \"$last\" || exit 9\ncase \"$*\" in\n"
      "*memcheck*) echo '========= Invalid __global__ read of size 4 bytes'; echo '========= ERROR SUMMARY: 1 "
      "error';;\n"
      "*racecheck*) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)';;\n"
      "*) echo '========= ERROR SUMMARY: 0 errors';;\nesac");
  EXPECT_EQ(find_sanitizer(), "compute-sanitizer");
  db::Store store(fake.folder() / "test.db");
  SanitizerCommand mode;
  mode.store = &store;
  mode.form = Form::json;
  testing::internal::CaptureStdout();
  const SanitizerSummary summary = run(mode);
  const auto printed = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  ASSERT_EQ(printed.size(), 3U);
  const auto& right = printed[0];
  EXPECT_TRUE(right["bug"] == "correct kernel" && right["is_right"] == true) << right;
  EXPECT_TRUE(right["simulator"].is_null() && right["racecheck"].is_null() && right["not_run"].is_null()) << right;
  EXPECT_TRUE(right["memcheck"] == "out of bounds" && right["racecheck_seconds"].is_number()) << right;
  EXPECT_TRUE(printed[1]["is_right"] == false && printed[1]["simulator"].is_string()) << printed[1];
  EXPECT_EQ(summary.missed, 0);
  EXPECT_EQ(summary.not_run, 0);
  const auto rows = store.mutants();
  EXPECT_EQ(rows.size(), 3U * 5U);
  int alarms = 0;
  for (const db::Mutant& row : rows) {
    if (row.tool == "compute-sanitizer memcheck") {
      EXPECT_EQ(row.how, "out of bounds");
      alarms += row.rule == "correct kernel" ? 1 : 0;
    } else if (is_host(row.tool)) {
      EXPECT_EQ(row.outcome, row.rule == "correct kernel" ? "equivalent" : "killed");
    } else {
      EXPECT_EQ(row.outcome, row.rule == "correct kernel" ? "equivalent" : "survived") << row.tool;
    }
  }
  EXPECT_EQ(alarms, 1);
}

TEST_F(SanitizerRuns, EndAHungToolAndSayWhenItDoesNotWork) {
  {
    const FakeSanitizer hung("sleep infinity");
    db::Store store(hung.folder() / "test.db");
    SanitizerCommand mode;
    mode.store = &store;
    mode.time_limit = std::chrono::seconds(0);
    run(mode);
    int hangs = 0;
    for (const db::Mutant& row : store.mutants()) hangs += row.how == "hang" && !is_host(row.tool) ? 1 : 0;
    EXPECT_EQ(hangs, 12);
  }
  {
    const FakeSanitizer slow("touch $(dirname $0)/started; sleep infinity");
    std::atomic<bool> is_asked = false;
    const std::jthread ask([&] {
      EXPECT_TRUE(eventually([&] { return std::filesystem::exists(slow.folder() / "started"); }));
      is_asked = true;
    });
    SanitizerCommand mode;
    mode.stop = {.asked = &is_asked, .deadline = Stop::Clock::now() + std::chrono::hours(24)};
    mode.form = Form::csv;
    testing::internal::CaptureStdout();
    const SanitizerSummary summary = run(mode);
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_THAT(printed, testing::StartsWith("kernel,bug,file,line,change,is_right,simulator,simulator_seconds,"));
    EXPECT_THAT(printed, HasSubstr(",the command was stopped first\r\n"));
    EXPECT_EQ(summary.not_run, 3) << "what the end of the time cuts off is no verdict";
  }
  const FakeSanitizer broken("echo 'no device'; exit 1");
  try {
    run({});
    FAIL() << "accepted a tool that does not finish";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not work here: no device"));
  }
}

}  // namespace
}  // namespace warpwright::conformance
