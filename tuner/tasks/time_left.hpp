// How long a run will take from here on: by its budget, or by the work that was done so far.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace warpwright::tuner {

/// Times are seconds of any clock that only goes on.
class TimeLeft {
 public:
  /// A run with a budget is over at that time, or earlier.
  explicit TimeLeft(std::optional<double> end = std::nullopt) : end_(end) {}

  /// So much work is done at that time, of so much in all.
  void done(double now, std::size_t work, std::size_t of);

  /// Nothing before it can be known: some work must have taken some time, and what was known from before, or waited
  /// for its programs, tells nothing of what follows.
  std::optional<double> seconds(double now) const;

 private:
  std::optional<double> by_work(double now) const;

  std::optional<double> end_;
  std::size_t all_ = 0;
  std::deque<std::pair<double, std::size_t>> seen_;  ///< moments and the work that was done then
};

}  // namespace warpwright::tuner
