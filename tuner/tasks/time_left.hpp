// Estimates how long a run will take, by its budget or by its progress.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace warpwright::tuner {

/// Times are seconds of any monotonic clock.
class TimeLeft {
 public:
  /// With a budget, the run ends at `end` or earlier.
  explicit TimeLeft(std::optional<double> end = std::nullopt) : end_(end) {}

  /// At that time `work` of `of` units of work are done.
  void done(double now, std::size_t work, std::size_t of);

  /// None until there is enough work and time to extrapolate from: the first results may come from the database, or may
  /// have waited for the compiler. None either when all work is done: what follows is not counted as work, and a budget
  /// that is left is not needed.
  std::optional<double> seconds(double now) const;

 private:
  std::optional<double> by_work(double now) const;

  std::optional<double> end_;
  std::size_t done_ = 0, all_ = 0;
  std::deque<std::pair<double, std::size_t>> seen_;  ///< times, and the work done by then
};

}  // namespace warpwright::tuner
