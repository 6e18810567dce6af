// Starts other programs, each in a process group of its own, which is killed together with everything that it started.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/system/stop.hpp"

namespace warpwright::simulator {

/// How a process ended.
struct Ending {
  int exit_code = 0;  ///< 128 + signal if a signal ended it
  int signal = 0;     ///< 0 if no signal ended it

  /// "exited with status 3", "killed by signal 11 (Segmentation fault)"
  std::string text() const;
  /// Whether a signal ended it that a program does not cause itself: a person or the system killed it.
  bool from_outside() const;
};

struct SpawnOptions {
  std::filesystem::path folder = {};  ///< its working folder; empty: that of this program
  int output = -1;  ///< receives its stdout and stderr, and it gets no stdin; -1: it shares those of this program
  int kept = -1;    ///< a descriptor that stays open in it
};

/// A running program. Ctrl-C in the terminal does not reach it. It dies with the thread that started it. Not
/// thread-safe.
class ChildProcess {
 public:
  /// Starts a program, found by the PATH. Throws std::system_error if it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command, const SpawnOptions& options = {});
  /// Kills the program.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Whether the program, or another process of its group, is stopped (by SIGSTOP, say).
  bool is_stopped() const;
  /// Sends a signal to all processes of its group. The caller must still wait for it.
  void kill(int signal = SIGKILL) const;
  /// Waits until the program has ended, and then kills the rest of its group. To be called once.
  Ending wait();

 private:
  pid_t pid_ = -1;
};

struct ProcessResult {
  int exit_code = 0;  ///< as in Ending; 127 if the program could not be started
  bool timed_out = false;
  bool stopped = false;        ///< timed out, and some of its processes were stopped
  bool ended_outside = false;  ///< a signal from outside ended it
  std::string output;          ///< stdout and stderr together

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Runs a program, found by the PATH, in a folder and waits for it. At the limit, kills it and everything that it
/// started. Throws std::system_error if the system refuses to start it. If a stop is requested first, kills it and
/// throws Stopped.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const Stop& limit, const Stop& stop = {});
/// The same with a time limit.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          std::chrono::seconds limit, const Stop& stop = {});

}  // namespace warpwright::simulator
