// Shows on a terminal how far a run over many kernels has come.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace warpwright::conformance {

/// "3 of 12 kernels done, 1 FAILED; 45 s, 2 min left". `left`: seconds until the deadline, if there is one.
std::string progress_text(std::size_t done, std::size_t failed, std::size_t of, double seconds,
                          std::optional<double> left);

/// While it exists, a line of standard error is redrawn every second, below what is printed by program::print. Shows
/// nothing if standard error is no terminal.
class StatusLine {
 public:
  /// `text` is called by another thread.
  explicit StatusLine(std::function<std::string()> text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any never_;
  std::jthread ticker_;  ///< ends before all else
};

}  // namespace warpwright::conformance
