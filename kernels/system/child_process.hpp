// Programs that this one starts: in a process group of their own, killed with all that they started.
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
  int exit_code = 0;  ///< 128 + signal when a signal ended it
  int signal = 0;     ///< 0 when none did

  /// "exited with status 3", "killed by signal 11 (Segmentation fault)"
  std::string text() const;
  /// Whether a signal ended it that programs do not bring on themselves: somebody, or the system, wanted it gone.
  bool from_outside() const;
};

struct SpawnOptions {
  std::filesystem::path folder = {};  ///< where it runs; empty: where this program does
  int output = -1;  ///< takes its stdout and stderr, and it gets no stdin; -1: it has those of this program
  int kept = -1;    ///< a descriptor that it finds open
};

/// A running program. It gets no Ctrl-C of the terminal, and dies with the thread that started it. Not thread-safe.
class ChildProcess {
 public:
  /// Starts a program, looked up on the PATH. Throws std::system_error when it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command, const SpawnOptions& options = {});
  /// Kills it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Whether it, or another process of its group, was stopped and not continued.
  bool is_stopped() const;
  /// Sends a signal to it and all of its group; it is still to be waited for.
  void kill(int signal = SIGKILL) const;
  /// Waits until it has ended by itself or was killed, and then kills what is left of its group; once.
  Ending wait();

 private:
  pid_t pid_ = -1;
};

struct ProcessResult {
  int exit_code = 0;  ///< as of Ending; 127 when the program could not be started
  bool timed_out = false;
  bool stopped = false;        ///< timed out, and some of its processes had been stopped
  bool ended_outside = false;  ///< a signal from outside ended it
  std::string output;          ///< of stdout and stderr together

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Runs a program, looked up on the PATH, in a folder, and waits for it; past the limit it is killed with all that it
/// started. Throws std::system_error when the system refuses, and Stopped, once it is killed, when the stop comes
/// first.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          std::chrono::seconds limit, const Stop& stop = {});

}  // namespace warpwright::simulator
