// Tests of the cause of a lost worker: the environment, which throws an exception, or the request, which gives a reply.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "kernels/runtime/client/gpu_client.hpp"
#include "kernels/runtime/client/process.hpp"
#include "kernels/runtime/client/scripted_worker.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::worker {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kWaitLimit{60'000};

/// A script instead of the worker: it records its start, greets, waits for a request, and then runs `first` the first
/// time and `then` later.
class Script {
 public:
  explicit Script(const std::string& first) : Script(first, first) {}
  Script(const std::string& first, const std::string& then) {
    std::ofstream(path()) << "#!/bin/bash\n"
                          << "echo >> " << starts_path().string() << "\n"
                          << "answer() { " << bash_to_answer(Toolchain()) << "; }\n"
                          << "environment_failed() { " << bash_to_answer(EnvironmentFailed{"no room"}) << "; }\n"
                          << bash_to_greet() << "\nhead -c 1 <&\"$1\" > /dev/null\n"
                          << "if [ $(wc -l < " << starts_path().string() << ") = 1 ]; then\n"
                          << first << "\nelse\n"
                          << then << "\nfi\n";
    fs::permissions(path(), fs::perms::owner_all);
  }

  fs::path path() const { return folder_ / "script"; }
  /// How often it was started.
  std::string starts() const {
    std::ifstream file(starts_path());
    return std::to_string(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

 private:
  fs::path starts_path() const { return folder_ / "starts"; }
  const TemporaryFolder folder_;
};

/// The fault with which the call ends; empty if there is a reply.
std::string fault_of(const Script& script, milliseconds limit = kWaitLimit, const std::string& target = "sm_90") {
  Process process(script.path());
  try {
    process.call(Compile{.sources = {}, .programs = {}, .target = target}, limit);
  } catch (const EnvironmentFault& fault) {
    return fault.what();
  }
  return {};
}

TEST(ProcessFaults, ASignalFromOutsideIsAFaultOfTheEnvironmentAndIsRetriedOnce) {
  for (const char* const signal : {"KILL", "TERM", "HUP", "XCPU"}) {
    const Script script("kill -" + std::string(signal) + " $$; sleep 60");
    EXPECT_THAT(fault_of(script), HasSubstr("not by warpwright")) << signal;
    EXPECT_EQ(script.starts(), "2") << signal;
  }
}

TEST(ProcessFaults, AStoppedWorkerIsFoundLongBeforeItsTimeLimit) {
  const Script script("kill -STOP $$");
  EXPECT_THAT(fault_of(script, std::chrono::hours(24)), HasSubstr("stopped"));
  EXPECT_EQ(script.starts(), "2");
}

TEST(ProcessFaults, AWorkerStoppedBeforeItReadsItsRequestDoesNotBlockTheCall) {
  const Script script("kill -STOP $$");
  EXPECT_THAT(fault_of(script, kWaitLimit, std::string(std::size_t{64} << 20, 'x')), HasSubstr("stopped"));
}

TEST(ProcessFaults, AStopEndsTheWaitForAWorkerThatDoesNotGreet) {
  const TemporaryFolder folder;
  std::ofstream(folder / "silent") << "#!/bin/bash\ntouch " << (folder / "started").string() << "\nsleep 300\n";
  fs::permissions(folder / "silent", fs::perms::owner_all);
  std::atomic<bool> is_asked = false;
  const std::jthread ask([&] {
    EXPECT_TRUE(eventually([&] { return fs::exists(folder / "started"); }));
    is_asked = true;
  });
  Process process(folder / "silent", {.asked = &is_asked});
  EXPECT_THROW(process.call(Describe(), kWaitLimit), Stopped);
}

TEST(ProcessFaults, ADeadlineForSomeCallsEndsThemAndIsForgottenAfterwards) {
  const Script script("sleep 300", "answer \"$1\"; sleep 300");
  Process process(script.path());
  {
    const Process::Until until(process, Stop::Clock::now() + milliseconds(300));
    EXPECT_THROW(process.call(Describe(), kWaitLimit), Stopped);
    EXPECT_THROW(process.call(Describe(), kWaitLimit), Stopped) << "it is over";
  }
  EXPECT_TRUE(process.call(Describe(), kWaitLimit).ok());
}

TEST(ProcessFaults, EnvironmentFaultsThatTheWorkerReportsAreThrown) {
  const Script script("environment_failed \"$1\"; sleep 60");
  EXPECT_EQ(fault_of(script), "no room");
  EXPECT_EQ(script.starts(), "2");
}

TEST(ProcessFaults, AGpuWorkerLostAtEveryTrialEndsWithTheFaultOfTheEnvironment) {
  const auto worker = [](const std::string& replies) {
    return "asked() { head -c 1 <&\"$1\" > /dev/null; timeout 0.3 cat <&\"$1\" > /dev/null; }\n" + replies;
  };
  const std::string ready = "ready() { " + bash_to_answer(ProblemReady{.reference_us = 10}) + "; }\n";
  const std::string unknown = "unknown() { " + bash_to_answer(Refused{.reason = "no problem is selected"}) + "; }\n";
  // The second worker gets the trial with which the first was lost, has no problem set up, and is lost as well.
  const Script script(
      worker(ready + "ready \"$1\"; asked \"$1\"; environment_failed \"$1\"; sleep 60"),
      worker(ready + unknown +
             "unknown \"$1\"; asked \"$1\"; ready \"$1\"; asked \"$1\"; environment_failed \"$1\"; sleep 60"));
  GpuClient client({}, {}, script.path());
  client.select("problem", {}, 0);
  try {
    client.trial({}, false, {.count = 1});
    FAIL() << "a trial without an answer gave one";
  } catch (const EnvironmentFault& fault) {
    EXPECT_STREQ(fault.what(), "the GPU worker was lost again and again: no room");
  }
  EXPECT_EQ(script.starts(), "3");
}

TEST(ProcessFaults, AnswersOfTheCpuThatAreLateEndAtTheirTimeAndAreNotWaitedForTwice) {
  const Script script("sleep 60", "sleep 60");
  GpuClient client({}, {}, script.path());
  gpu::ProblemSetup setup;
  setup.reference_plan.steps = {
      {.what = HostWork{.source = "work.cuh", .function = "answer", .arguments = {}, .accesses = {}}}};
  client.select("problem", setup, 0, Stop::Clock::now() + milliseconds(100));
  try {
    client.trial({}, true, {.count = 1});
    FAIL() << "a trial without right answers gave a result";
  } catch (const AnswersLate& late) {
    EXPECT_THAT(late.what(), HasSubstr("no result after 1 s: give more --budget"));
  }
  EXPECT_EQ(script.starts(), "1");
}

TEST(GpuLimit, OfRunsIsAHundredTimesTheReferenceOrTheLimitForTooSlow) {
  const auto limit = [](double reference_us, double too_slow_us, int least_ms = 0) {
    return limit_of_runs(7, 3, reference_us, too_slow_us, milliseconds(least_ms));
  };
  const auto unknown = limit(10000, std::numeric_limits<double>::infinity());
  EXPECT_EQ(unknown.time, std::chrono::seconds(7));
  EXPECT_EQ(unknown.beyond, Verdict::timed_out);
  const auto known = limit(10000, 4400);
  EXPECT_EQ(known.time, milliseconds(73)) << "3 runs of 4.4 ms and 20 ms";
  EXPECT_EQ(known.beyond, Verdict::too_slow);
  EXPECT_EQ(limit(10, 1e9).time, milliseconds(7)) << "never more than without";
  const auto small = limit(100, 40, 1000);
  EXPECT_EQ(small.time, std::chrono::seconds(1));
  EXPECT_EQ(small.beyond, Verdict::timed_out) << "a hundred times the reference too";
}

TEST(ProcessFaults, AWorkerThatCannotBeLoadedIsAFaultOfTheEnvironment) {
  const TemporaryFolder folder;
  const fs::path path = folder / "worker";
  std::ofstream(path) << "#!/bin/sh\nexit 127\n";
  fs::permissions(path, fs::perms::owner_all);
  Process process(path);
  try {
    process.call(Describe(), kWaitLimit);
    FAIL() << "a worker that never began gave a reply";
  } catch (const EnvironmentFault& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("does not start (exited with status 127)"));
  }
}

TEST(ProcessFaults, AWorkerOfAnotherBuildGetsNoRequest) {
  Message cut = greeting();
  cut.pop_back();
  for (const Message& greeting : {Message(), Message(16, '0'), cut}) {
    const TemporaryFolder folder;
    const fs::path path = folder / "worker";
    std::ofstream(path) << "#!/bin/bash\n" << bash_to_send(greeting) << "\nsleep 60\n";
    fs::permissions(path, fs::perms::owner_all);
    Process process(path);
    try {
      process.call(Describe(), kWaitLimit);
      FAIL() << "a worker of another build gave a reply";
    } catch (const EnvironmentFault& fault) {
      EXPECT_THAT(fault.what(), HasSubstr("is of another build than this program: build both again"));
    }
  }
}

TEST(ProcessFaults, ASecondWorkerReplacesTheFirstAfterOneFaultOrLoss) {
  for (const char* const first : {"kill -KILL $$; sleep 60", "kill -STOP $$", "environment_failed \"$1\"; sleep 60",
                                  "kill -SEGV $$; sleep 60", "exit 3", "kill -ABRT $$; sleep 60"}) {
    const Script script(first, "answer \"$1\"; sleep 60");
    Process process(script.path());
    EXPECT_TRUE(process.call(Describe(), kWaitLimit).ok()) << first;
    EXPECT_EQ(script.starts(), "2") << first;
  }
}

TEST(ProcessFaults, ACrashThatHappensTwiceIsAReply) {
  for (const char* const signal : {"SEGV", "BUS", "ILL", "FPE", "ABRT"}) {
    const Script script("kill -" + std::string(signal) + " $$; sleep 60");
    Process process(script.path());
    EXPECT_EQ(process.call(Describe(), kWaitLimit).status, CallStatus::crashed) << signal;
    EXPECT_EQ(script.starts(), "2") << signal;
  }
}

TEST(ProcessFaults, ATimeLimitReachedTwiceIsAReply) {
  const Script script("sleep 60");
  Process process(script.path());
  EXPECT_EQ(process.call(Describe(), milliseconds(1)).status, CallStatus::timed_out);
  EXPECT_EQ(script.starts(), "2");
}

TEST(ProcessFaults, WithManyProgramsInARequestTheFirstLossCounts) {
  const Script script("kill -SEGV $$; sleep 60");
  Process process(script.path());
  EXPECT_EQ(process.call(Describe(), kWaitLimit, Process::Believe::first_loss).status, CallStatus::crashed);
  EXPECT_EQ(script.starts(), "1");
}

TEST(ProcessFaults, OneLossAndOneFaultTogetherAreRetried) {
  const Script script("kill -SEGV $$; sleep 60",
                      "if [ $(wc -l < $(dirname $0)/starts) = 2 ]; then kill -KILL $$; sleep 60; fi\n"
                      "answer \"$1\"; sleep 60");
  Process process(script.path());
  EXPECT_TRUE(process.call(Describe(), kWaitLimit).ok());
  EXPECT_EQ(script.starts(), "3");
}

}  // namespace
}  // namespace warpwright::worker
