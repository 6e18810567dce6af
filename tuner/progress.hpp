// Progress on standard error: a bar on a terminal, plain lines every few seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace warpwright::tuner {

class Progress {
 public:
  /// Shows nothing for work of less than two seconds. `total` 0: unknown.
  Progress(std::string label, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more is done; `note` is shown behind the count.
  void tick(const std::string& note = {});

 private:
  void show(const std::string& note);

  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::size_t total_, done_ = 0;
  bool terminal_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace warpwright::tuner
