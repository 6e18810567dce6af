// Runs a program and keeps what it prints.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::host {

struct ProcessResult {
  int exit_code = 0;  ///< 128 + signal when a signal ended it; 127 when the program could not be started
  bool timed_out = false;
  std::string output;  ///< of stdout and stderr together

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Runs a program, looked up on the PATH, in a folder, and waits for it; past the limit it is killed with all that it
/// started. Throws std::runtime_error when the system refuses.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          std::chrono::seconds limit);

}  // namespace warpwright::host
