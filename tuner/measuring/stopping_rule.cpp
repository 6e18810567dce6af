// Decides after each sample whether to take another one.
#include "tuner/measuring/stopping_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/core/statistics.hpp"

namespace warpwright::tuner {

std::string to_string(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "none";
    case StopReason::narrow:
      return "narrow";
    case StopReason::exhausted:
      return "exhausted";
    case StopReason::cannot_win:
      return "cannot_win";
  }
  throw std::invalid_argument("an unknown reason to stop");
}

StoppingRule::StoppingRule(StoppingOptions options, double best_median_us)
    : options_(options),
      sampling_{.count = options.min_samples,
                .once_us = options.once_ratio * best_median_us,
                .far_us = options.far_ratio * best_median_us,
                .hopeless_us = options.hopeless_ratio * best_median_us} {
  if (options.min_samples < 1 || options.max_samples < options.min_samples) {
    throw std::invalid_argument(
        fmt::format("between {} and {} samples is no range", options.min_samples, options.max_samples));
  }
  if (!(options.hopeless_ratio >= 1) || !(options.far_ratio >= options.hopeless_ratio) ||
      !(options.once_ratio >= options.far_ratio) || !(options.relative_width >= 0) ||
      !(options.confidence > 0 && options.confidence < 1) || !(best_median_us > 0)) {
    throw std::invalid_argument("options of the stopping rule are out of range");
  }
}

StopReason StoppingRule::add(double us) {
  if (!(us > 0) || std::isinf(us)) throw std::invalid_argument(fmt::format("a sample of {} us", us));
  samples_.push_back(us);
  total_us_ += us;
  const int taken = static_cast<int>(samples_.size());
  const double fastest = *std::min_element(samples_.begin(), samples_.end());
  if (sampling_.cannot_win(taken, fastest)) return StopReason::cannot_win;
  if (taken < options_.min_samples) return StopReason::none;
  const Interval interval = median_interval(samples_, options_.confidence);
  if (interval.coverage >= options_.confidence && interval.width() <= options_.relative_width * median(samples_)) {
    return StopReason::narrow;
  }
  return taken >= options_.max_samples || total_us_ >= options_.enough_us ? StopReason::exhausted : StopReason::none;
}

RetryPolicy::RetryPolicy(RetryOptions options) : options_(options) {
  if (options.per_sample < 0 || options.per_configuration < 0) {
    throw std::invalid_argument("a negative number of retries");
  }
}

bool RetryPolicy::retry(bool throttled) {
  if (throttled && this_sample_ < options_.per_sample && discarded_ < options_.per_configuration) {
    ++this_sample_;
    ++discarded_;
    return true;
  }
  this_sample_ = 0;
  if (throttled) ++kept_throttled_;
  return false;
}

}  // namespace warpwright::tuner
