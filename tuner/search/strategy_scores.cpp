// Scores runs of strategies.
#include "tuner/search/strategy_scores.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace warpwright::tuner {
namespace {

/// Measures the time that a strategy takes.
class Timed : public Strategy {
 public:
  Timed(std::unique_ptr<Strategy> strategy, double& total_ms, double& longest_ask_ms)
      : strategy_(std::move(strategy)), total_ms_(total_ms), longest_ask_ms_(longest_ask_ms) {}

  std::vector<std::size_t> ask(std::size_t at_most) override {
    std::vector<std::size_t> asked;
    longest_ask_ms_ = std::max(longest_ask_ms_, measured([&] { asked = strategy_->ask(at_most); }));
    return asked;
  }
  void tell(std::size_t point, double cost) override {
    measured([&] { strategy_->tell(point, cost); });
  }
  void tell_known(std::size_t point, double cost) override { strategy_->tell_known(point, cost); }

 private:
  template <class Call>
  double measured(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    total_ms_ += took.count();
    return took.count();
  }

  std::unique_ptr<Strategy> strategy_;
  double& total_ms_;
  double& longest_ask_ms_;
};

double median(const std::vector<StrategyRun>& runs, double StrategyRun::*field) {
  std::vector<double> values;
  for (const StrategyRun& run : runs) values.push_back(run.*field);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

double expected_best(std::vector<double> costs, std::size_t draws) {
  const std::size_t all = costs.size();
  std::erase_if(costs, [](double cost) { return !std::isfinite(cost); });
  if (costs.empty()) throw std::invalid_argument("a recorded space with no valid point");
  std::sort(costs.begin(), costs.end());
  double sum = 0, none_so_far = 1;  // the probability that no cost below this one is drawn
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double not_drawn = all - i > draws ? static_cast<double>(all - i - draws) / static_cast<double>(all - i) : 0;
    sum += none_so_far * (1 - not_drawn) * costs[i];
    none_so_far *= not_drawn;
  }
  return sum + none_so_far * costs.back();
}

double StrategyRun::score() const {
  return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

ScoredSpace::ScoredSpace(RecordedSpace recorded) : recorded_(std::move(recorded)) {
  optimum_ = expected_best(recorded_.costs, recorded_.costs.size());
  slowest_ = optimum_;
  for (const double cost : recorded_.costs)
    if (std::isfinite(cost)) slowest_ = std::max(slowest_, cost);
  for (std::size_t i = 0; i < expected_.size(); ++i)
    expected_[i] = expected_best(recorded_.costs, scored_evaluations[i]);
}

StrategyRun ScoredSpace::run(const StrategyMaker& maker, std::uint64_t seed, std::size_t outstanding,
                             std::span<const std::size_t> known) const {
  StrategyRun run;
  double total_ms = 0;
  const auto timed = [&](const SearchSpace& space, std::uint64_t its_seed) {
    return std::make_unique<Timed>(maker(space, its_seed), total_ms, run.longest_ask_ms);
  };
  const std::vector<std::size_t> points = replay(recorded_, timed, seed, scored_evaluations.back(), outstanding, known);
  double best = slowest_;
  std::size_t told = 0;
  for (std::size_t i = 0; i < scored_evaluations.size(); ++i) {
    for (; told < std::min(scored_evaluations[i], points.size()); ++told)
      best = std::min(best, recorded_.costs[points[told]]);
    const double range = expected_[i] - optimum_;
    run.scores[i] = range > 1e-9 * optimum_ ? (expected_[i] - best) / range : 1;
    run.ratios[i] = best / optimum_;
  }
  run.found_optimum = best <= optimum_;
  run.ms_per_evaluation = total_ms / static_cast<double>(std::max<std::size_t>(points.size(), 1));
  run.evaluations_to_95_percent = run.seconds_to_95_percent = std::numeric_limits<double>::infinity();
  double seconds = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    seconds += recorded_.seconds.empty() ? 0 : recorded_.seconds[points[i]];
    if (recorded_.costs[points[i]] * 0.95 > optimum_) continue;
    run.evaluations_to_95_percent = static_cast<double>(i + 1);
    run.seconds_to_95_percent = seconds;
    break;
  }
  return run;
}

StrategySummary summary(const std::vector<StrategyRun>& runs) {
  if (runs.empty()) throw std::invalid_argument("the summary of no runs");
  const auto count = static_cast<double>(runs.size());
  StrategySummary result;
  for (const StrategyRun& run : runs) {
    result.score += run.score() / count;
    for (std::size_t i = 0; i < run.ratios.size(); ++i) result.ratios[i] += run.ratios[i] / count;
    result.found_optimum += (run.found_optimum ? 1 : 0) / count;
    result.ms_per_evaluation += run.ms_per_evaluation / count;
    result.longest_ask_ms = std::max(result.longest_ask_ms, run.longest_ask_ms);
  }
  result.evaluations_to_95_percent = median(runs, &StrategyRun::evaluations_to_95_percent);
  result.seconds_to_95_percent = median(runs, &StrategyRun::seconds_to_95_percent);
  double squares = 0;
  for (const StrategyRun& run : runs) squares += std::pow(run.score() - result.score, 2);
  if (runs.size() > 1) result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

}  // namespace warpwright::tuner
