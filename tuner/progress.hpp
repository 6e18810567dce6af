// Progress on standard error: a bar on a terminal, plain lines every few seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace warpwright::tuner {

class Progress {
 public:
  /// `total` 0: unknown. A terminal sees it from the first second on.
  Progress(std::string label, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more is done; `note` is shown behind the count.
  void tick(const std::string& note = {});

 private:
  void show(const std::string& note);
  std::string left(double seconds) const;

  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::size_t total_, done_ = 0;
  bool terminal_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace warpwright::tuner
