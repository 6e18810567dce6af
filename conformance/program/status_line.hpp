// Shows on a terminal how far a run over many kernels has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernels/system/ticker.hpp"

namespace warpwright::conformance {

struct SuiteProgress {
  std::size_t kernels = 0;
  std::size_t done = 0;    ///< kernels; with a time limit, none is done before the end
  std::size_t failed = 0;  ///< kernels
  std::int64_t cases = 0;
  double seconds = 0;                       ///< since the beginning
  std::optional<double> seconds_left = {};  ///< until the deadline, if there is one
};

/// "3 of 12 kernels done, 1 FAILED; 45 s". With a time limit: "12 kernels, 1,240 cases, 1 FAILED; 45 s, 2 min left".
std::string progress_text(const SuiteProgress& progress);

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
  std::optional<Ticker> ticker_;
};

}  // namespace warpwright::conformance
