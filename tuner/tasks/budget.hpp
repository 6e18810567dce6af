// The time of a run, of which every problem has a share.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace warpwright::tuner {

class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  using End = std::optional<Clock::time_point>;

  /// From now on; 0 seconds: as long as it takes.
  explicit Budget(double seconds) {
    if (seconds > 0) end_ = Clock::now() + to_duration(seconds);
  }

  End end() const { return end_; }

  /// When that share of the time that is left is over.
  End end_of_share(double share) const {
    if (!end_) return {};
    const Clock::time_point now = Clock::now();
    return now + std::chrono::duration_cast<Clock::duration>((*end_ - now) * share);
  }

  static Clock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

 private:
  End end_;
};

/// When to be done so that `share` of the time from `begin` to `end` is left, but no more than so many seconds.
inline Budget::End leaving(Budget::End end, Budget::Clock::time_point begin, double share, double most) {
  if (!end) return {};
  const double all = std::chrono::duration<double>(*end - begin).count();
  return *end - Budget::to_duration(std::min(share * all, most));
}

/// How many of them, in their order, a share of the time that is left until `end` is enough for: one at least.
inline std::size_t affordable(Budget::End end, double share, std::span<const double> microseconds) {
  if (!end || microseconds.empty()) return microseconds.size();
  const std::chrono::duration<double, std::micro> left = (*end - Budget::Clock::now()) * share;
  double taken = microseconds.front();
  std::size_t count = 1;
  while (count < microseconds.size() && (taken += microseconds[count]) <= left.count()) ++count;
  return count;
}

inline bool is_over(Budget::End end) {
  return end && Budget::Clock::now() >= *end;
}

}  // namespace warpwright::tuner
