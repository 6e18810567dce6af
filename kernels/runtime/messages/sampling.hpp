// How often a configuration is timed, and when too few samples are enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpwright::gpu {

/// `count` times, unless the first samples show that it cannot win: two that all took longer than `far_us`, or three
/// that all took longer than `hopeless_us` (microseconds). A configuration whose median is below a limit ends so with a
/// probability of 2^-2 and 2^-3 at most, and only where its samples scatter as far as that.
struct Sampling {
  int count = 0;
  double far_us = std::numeric_limits<double>::infinity();
  double hopeless_us = std::numeric_limits<double>::infinity();

  /// `taken`: samples so far; `fastest`: the least of them, in microseconds.
  bool cannot_win(int taken, double fastest) const {
    return (taken >= 2 && fastest > far_us) || (taken >= 3 && fastest > hopeless_us);
  }

  /// Where the timed part took `verified_us` or longer in all runs that verified the configuration, by the host's
  /// clock, which takes the wait and so many launches for part of it: one sample, where even so it was far above.
  Sampling after_verifying(double verified_us, std::int64_t launches) const {
    constexpr double kWait = 100, kLaunch = 10;
    Sampling left = *this;
    if (verified_us > far_us + kWait + kLaunch * static_cast<double>(launches)) left.count = std::min(count, 1);
    return left;
  }
};

}  // namespace warpwright::gpu
