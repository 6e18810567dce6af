// When enough samples of a configuration were taken, and what to do with throttled ones: plain numbers in and out.
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

/// Fed the samples of one configuration, says after each whether to go on.
class StoppingRule {
 public:
  /// `best_median_us`: of the configurations measured so far, infinity where there is none.
  /// Throws std::invalid_argument for options that contradict each other.
  explicit StoppingRule(StoppingOptions options = {}, double best_median_us = std::numeric_limits<double>::infinity());

  /// Adds a sample, in microseconds, and returns whether to stop. Throws std::invalid_argument unless `us` > 0.
  StopReason add(double us);

  /// The fewest samples, and, of the first ones, what ends them before: one that is within reach stays so.
  gpu::Sampling sampling() const { return samples_.empty() ? sampling_ : gpu::Sampling{.count = sampling_.count}; }

  const std::vector<double>& samples() const { return samples_; }

 private:
  StoppingOptions options_;
  gpu::Sampling sampling_;
  double total_us_ = 0;
  std::vector<double> samples_;
};

struct RetryOptions {
  int per_sample = 3;          ///< how often one sample is taken again
  int per_configuration = 15;  ///< and all samples of one configuration together
};

/// Bounds the retries of throttled samples of one configuration: every sample is kept in the end.
class RetryPolicy {
 public:
  explicit RetryPolicy(RetryOptions options = {});

  /// Call with every sample taken. True: discard it, wait, and take it again. False: keep it; a sample that is
  /// kept although it was throttled counts in `kept_throttled`, and the trial is to be flagged.
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
