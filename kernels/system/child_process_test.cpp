// Tests of starting programs: their output, how they end, and that none of their processes remains.
#include "kernels/system/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/waiting.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::chrono::seconds kLong{60};

ProcessResult shell(const std::string& script) {
  return run_process({"sh", "-c", script}, "/", kLong);
}

/// The script, whose time is over as soon as the condition holds.
template <class Condition>
ProcessResult shell_until(Condition holds, const std::string& script) {
  std::atomic<bool> is_over = false;
  const std::jthread watch([&] {
    EXPECT_TRUE(eventually(holds));
    is_over = true;
  });
  return run_process({"sh", "-c", script}, "/", Stop{.asked = &is_over});
}

/// What a process has written there, and its state: 'T' is stopped; 0 if there is none yet.
pid_t pid_in(const std::filesystem::path& file) {
  pid_t pid = 0;
  std::ifstream(file) >> pid;
  return pid;
}

char state_of(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name;
  char state = 0;
  stat >> number >> name >> state;
  return state;
}

TEST(ChildProcess, both_outputs_and_the_exit_code_come_back) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_TRUE(shell("true").ok());
}

TEST(ChildProcess, it_runs_in_its_folder_and_has_no_input) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_process({"sh", "-c", "pwd; cat"}, folder.path(), kLong).output,
            std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(ChildProcess, a_program_that_cannot_be_started_gives_code_127_with_the_reason) {
  const ProcessResult missing = run_process({"no-such-program-here"}, "/", kLong);
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_NE(missing.output.find("no-such-program-here: No such file"), std::string::npos) << missing.output;
  EXPECT_EQ(run_process({"true"}, "/no/such/folder", kLong).exit_code, 127);
  EXPECT_EQ(run_process({"/etc/passwd"}, "/", kLong).exit_code, 127);
  EXPECT_THROW(ChildProcess({"no-such-program-here"}), std::system_error);
}

TEST(ChildProcess, a_signal_is_reported) {
  EXPECT_EQ(shell("kill -SEGV $$").exit_code, 128 + SIGSEGV);
  ChildProcess child({"sh", "-c", "kill -SEGV $$"});
  EXPECT_NE(child.wait().text().find("killed by signal 11"), std::string::npos);
  EXPECT_EQ(ChildProcess({"sh", "-c", "exit 3"}).wait().text(), "exited with status 3");
}

TEST(ChildProcess, past_the_limit_it_is_killed_with_its_child_processes) {
  // A process that it started keeps the output open. Unless that one is killed too, this test hangs.
  const TemporaryFolder folder;
  const auto file = folder / "pid";
  const auto is_known = [&] { return pid_in(file) > 0; };
  EXPECT_TRUE(shell_until(is_known, "sleep infinity & echo $! > " + file.string() + "; wait").timed_out);
  EXPECT_TRUE(eventually([&] { return !is_running(pid_in(file)); }));
  EXPECT_TRUE(run_process({"sleep", "infinity"}, "/", std::chrono::seconds(0)).timed_out);
}

TEST(ChildProcess, it_dies_with_the_thread_that_started_it) {
  int ends_of_pipe[2];
  ASSERT_EQ(::pipe2(ends_of_pipe, O_CLOEXEC), 0);
  std::unique_ptr<ChildProcess> child;
  std::thread([&] {
    child = std::make_unique<ChildProcess>(std::vector<std::string>{"sh", "-c", "echo $$; exec sleep 300"},
                                           SpawnOptions{.output = ends_of_pipe[1]});
  }).join();
  const Ending ending = child->wait();
  EXPECT_EQ(ending.signal, SIGKILL);
  ::close(ends_of_pipe[0]);
  ::close(ends_of_pipe[1]);
}

TEST(ChildProcess, a_stop_kills_it) {
  int ends_of_pipe[2];
  ASSERT_EQ(::pipe2(ends_of_pipe, O_CLOEXEC), 0);
  pid_t pid = 0;
  {
    const ChildProcess child({"sh", "-c", "echo $$; exec sleep 300"}, {.output = ends_of_pipe[1]});
    char text[16] = {};
    ASSERT_GT(::read(ends_of_pipe[0], text, sizeof text - 1), 0);
    pid = std::stoi(text);
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0) << "it was collected too";
  ::close(ends_of_pipe[0]);
  ::close(ends_of_pipe[1]);
}

TEST(ChildProcess, a_descriptor_is_passed_on_only_where_it_is_named) {
  int ends_of_pipe[2];
  ASSERT_EQ(::pipe2(ends_of_pipe, O_CLOEXEC), 0);
  // A shell may support only descriptors of one digit.
  const std::string writes = "echo kept 2>/dev/null >/proc/self/fd/" + std::to_string(ends_of_pipe[1]);
  EXPECT_NE(ChildProcess({"sh", "-c", writes}).wait().exit_code, 0);
  ASSERT_EQ(ChildProcess({"sh", "-c", writes}, {.kept = ends_of_pipe[1]}).wait().exit_code, 0);
  char text[8] = {};
  EXPECT_EQ(::read(ends_of_pipe[0], text, sizeof text), 5);
  ::close(ends_of_pipe[0]);
  ::close(ends_of_pipe[1]);
}

TEST(ChildProcess, signals_from_itself_and_from_others_are_distinguished) {
  for (const int own : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) EXPECT_FALSE((Ending{.signal = own}.from_outside()));
  for (const int other : {SIGKILL, SIGTERM, SIGHUP, SIGXCPU, SIGXFSZ})
    EXPECT_TRUE((Ending{.signal = other}.from_outside()));
  EXPECT_FALSE(Ending{.exit_code = 3}.from_outside());
  EXPECT_TRUE(shell("kill -KILL $$").ended_outside);
  EXPECT_FALSE(shell("kill -SEGV $$").ended_outside);
  EXPECT_FALSE(shell_until([] { return true; }, "sleep 60").ended_outside) << "that was this program";
}

TEST(ChildProcess, a_stopped_process_or_child_is_reported_until_it_continues) {
  const ChildProcess child({"sh", "-c", "sleep 60 & wait"});
  EXPECT_FALSE(child.is_stopped());
  child.kill(SIGSTOP);
  EXPECT_TRUE(eventually([&] { return child.is_stopped(); }));
  child.kill(SIGCONT);
  EXPECT_TRUE(eventually([&] { return !child.is_stopped(); }));
  const TemporaryFolder folder;
  const auto file = folder / "pid";
  const auto has_stopped = [&] { return state_of(pid_in(file)) == 'T'; };
  EXPECT_TRUE(shell_until(has_stopped, "sleep 60 & kill -STOP $!; echo $! > " + file.string() + "; wait").stopped);
  EXPECT_FALSE(shell_until([] { return true; }, "sleep 60").stopped);
}

}  // namespace
}  // namespace warpwright::simulator
