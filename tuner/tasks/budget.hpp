// The time that a run may take, which its problems share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace warpwright::tuner {

/// The steady clock. Tests advance it by the time that a GPU would take.
struct BudgetClock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;

  static time_point now() { return std::chrono::steady_clock::now() + ahead.load(); }
  static inline std::atomic<duration> ahead = duration(0);
};

class Budget {
 public:
  using Clock = BudgetClock;
  using End = std::optional<Clock::time_point>;

  /// Begins now; 0 seconds: no limit.
  explicit Budget(double seconds) {
    if (seconds > 0) end_ = Clock::now() + to_duration(seconds);
  }

  End end() const { return end_; }
  /// Seconds until then.
  std::optional<double> left() const {
    if (!end_) return {};
    return std::chrono::duration<double>(*end_ - Clock::now()).count();
  }

  /// The moment when that share of the remaining time is over.
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

/// The moment that leaves `share` of the time from `begin` to `end`, but at most `most` seconds.
inline Budget::End leaving(Budget::End end, Budget::Clock::time_point begin, double share, double most) {
  if (!end) return {};
  const double all = std::chrono::duration<double>(*end - begin).count();
  return *end - Budget::to_duration(std::min(share * all, most));
}

/// How many of these durations, in order, fit in a share of the time until `end`; at least one.
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

/// Whether work of this duration ends in time if it begins now.
inline bool is_in_time(Budget::End end, double seconds) {
  return !end || Budget::Clock::now() + Budget::to_duration(seconds) < *end;
}

}  // namespace warpwright::tuner
