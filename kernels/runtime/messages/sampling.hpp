// How often a configuration is timed, and when too few samples are enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpwright::gpu {

/// `count` samples, unless the first ones show that it cannot win: one that took longer than `once_us`, two that all
/// took longer than `far_us`, or three that all took longer than `hopeless_us` (microseconds). If the median of a
/// configuration is below such a limit, it is given up by mistake with a probability of at most 2^-1, 2^-2 or 2^-3, and
/// only if its samples scatter that far. A run that takes longer than `too_slow_us` is ended.
struct Sampling {
  int count = 0;
  double once_us = std::numeric_limits<double>::infinity();
  double far_us = std::numeric_limits<double>::infinity();
  double hopeless_us = std::numeric_limits<double>::infinity();
  double too_slow_us = std::numeric_limits<double>::infinity();

  /// `taken`: samples so far; `fastest`: the smallest of them, in microseconds.
  bool cannot_win(int taken, double fastest) const {
    return (taken >= 1 && fastest > once_us) || (taken >= 2 && fastest > far_us) ||
           (taken >= 3 && fastest > hopeless_us);
  }

  /// `verified_us` is the shortest time of the timed part in the runs that verified the configuration. The host's clock
  /// measured it, so it includes the wait and the launches. If it is far above `far_us` even without them, one sample
  /// is enough.
  Sampling after_verifying(double verified_us, std::int64_t launches) const {
    constexpr double kWait = 100, kLaunch = 10;
    Sampling left = *this;
    if (verified_us > far_us + kWait + kLaunch * static_cast<double>(launches)) left.count = std::min(count, 1);
    return left;
  }
};

/// The time of a trial except its samples, in microseconds.
struct TrialParts {
  int runs = 0;           ///< number of runs, both for verifying and for timing
  double setting_up = 0;  ///< the problem with its reference, if the worker is new
  double restoring = 0;   ///< inputs and outputs before each run, and flushing the L2
  double verifying = 0;   ///< runs that are not timed
  double comparing = 0;   ///< outputs with the reference, inputs and guards with their original contents

  void add(const TrialParts& other) {
    runs += other.runs;
    setting_up += other.setting_up;
    restoring += other.restoring;
    verifying += other.verifying;
    comparing += other.comparing;
  }
};

}  // namespace warpwright::gpu
