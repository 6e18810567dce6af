// Extrapolates from the second half of the time so far.
#include "tuner/tasks/time_left.hpp"

#include <algorithm>

namespace warpwright::tuner {
namespace {

constexpr double kResolution = 0.25;  ///< between recorded times
constexpr double kLeastSeconds = 3;   ///< of work, before anything is said
constexpr std::size_t kLeastWork = 8;

}  // namespace

void TimeLeft::done(double now, std::size_t work, std::size_t of) {
  done_ = work;
  all_ = of;
  if (work == 0) return;  // waiting for the first program tells nothing of the rate
  if (!seen_.empty() && now - seen_.back().first < kResolution) return;
  seen_.emplace_back(now, work);
}

std::optional<double> TimeLeft::seconds(double now) const {
  if (all_ > 0 && done_ >= all_) return std::nullopt;
  const std::optional<double> work = by_work(now);
  if (!end_) return work;
  const double budget = std::max(*end_ - now, 0.0);
  return work ? std::min(*work, budget) : budget;
}

std::optional<double> TimeLeft::by_work(double now) const {
  if (seen_.empty() || now - seen_.front().first < kLeastSeconds) return std::nullopt;
  // The newer half is more typical, if enough happened in it.
  const double middle = seen_.front().first + (now - seen_.front().first) / 2;
  auto from = std::ranges::partition_point(seen_, [&](const auto& one) { return one.first < middle; });
  if (from == seen_.end() || done_ - from->second < kLeastWork) from = seen_.begin();
  const std::size_t counted = done_ - from->second;
  if (counted < kLeastWork) return std::nullopt;
  const double left = (now - from->first) / static_cast<double>(counted) * static_cast<double>(all_ - done_);
  return left;
}

}  // namespace warpwright::tuner
