// Decides when a configuration has enough samples, and whether to retry throttled ones, from plain numbers.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "kernels/runtime/messages/sampling.hpp"

namespace warpwright::tuner {

struct StoppingOptions {
  int min_samples = 5;
  int max_samples = 50;
  double relative_width = 0.01;  ///< narrow enough: width of the median's interval / median
  double confidence = 0.95;      ///< of that interval
  double enough_us = 2e6;        ///< sum of samples after which no more are taken, once there are min_samples
  double hopeless_ratio = 1.10;  ///< cannot win: three samples are slower than this times the best median so far
  double once_ratio = 2;         ///< cannot win: one sample is slower than this times the best median so far
  double far_ratio = 1.4;        ///< cannot win: two samples are slower than this times the best median so far
};

enum class StopReason {
  none,        ///< take another sample
  narrow,      ///< the interval is narrow enough
  exhausted,   ///< max_samples or enough_us was reached
  cannot_win,  ///< stopped early: the trial is to be flagged
};

/// "none", "narrow", "exhausted", "cannot win"
std::string to_string(StopReason reason);

/// Gets the samples of one configuration and decides after each whether to continue.
class StoppingRule {
 public:
  /// `best_median_us`: of the configurations measured so far, infinity if there is none. Throws std::invalid_argument
  /// for options that contradict each other.
  explicit StoppingRule(StoppingOptions options = {}, double best_median_us = std::numeric_limits<double>::infinity());

  /// Adds a sample, in microseconds, and returns whether to stop. Throws std::invalid_argument unless `us` > 0.
  StopReason add(double us);

  /// The least number of samples, and the limits that end sampling earlier. After one sample within reach there are no
  /// limits.
  gpu::Sampling sampling() const { return samples_.empty() ? sampling_ : gpu::Sampling{.count = sampling_.count}; }

  const std::vector<double>& samples() const { return samples_; }

 private:
  StoppingOptions options_;
  gpu::Sampling sampling_;
  double total_us_ = 0;
  std::vector<double> samples_;
};

struct RetryOptions {
  int per_sample = 3;          ///< retries of one sample
  int per_configuration = 15;  ///< retries of all samples of one configuration together
};

/// Bounds the retries of throttled samples of one configuration: eventually every sample is kept.
class RetryPolicy {
 public:
  explicit RetryPolicy(RetryOptions options = {});

  /// Call with every sample taken. True: discard it, wait, and take it again. False: keep it; a throttled sample that
  /// is kept is counted in `kept_throttled`, and the trial must be flagged.
  bool retry(bool throttled);

  int discarded() const { return discarded_; }
  int kept_throttled() const { return kept_throttled_; }

 private:
  RetryOptions options_;
  int this_sample_ = 0;
  int discarded_ = 0;
  int kept_throttled_ = 0;
};

}  // namespace warpwright::tuner
