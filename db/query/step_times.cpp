// Sums of the times of a plan's steps.
#include "db/query/step_times.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace warpwright::db {

double PlanTimes::overlap() const {
  const double possible = sum_us - ideal_us;
  return possible > 0 ? std::clamp((sum_us - span_us) / possible, 0.0, 1.0) : 0;
}

PlanTimes plan_times(const Store& store, Id trial_id) {
  PlanTimes times{.steps = store.steps(trial_id)};
  if (times.steps.empty()) return times;
  double start = times.steps.front().start_us;
  double end = 0;
  std::map<std::string, double> kinds;
  for (const StepTime& step : times.steps) {
    start = std::min(start, step.start_us);
    end = std::max(end, step.end_us);
    if (step.kind == "wait") continue;
    times.sum_us += step.us;
    kinds[step.kind] += step.us;
  }
  times.span_us = end - start;
  times.kinds.assign(kinds.begin(), kinds.end());
  std::ranges::stable_sort(times.kinds, std::greater(), &std::pair<std::string, double>::second);
  const bool is_one_stream =
      std::ranges::all_of(times.steps, [&](const StepTime& step) { return step.stream == times.steps.front().stream; });
  times.ideal_us = is_one_stream || times.kinds.empty() ? times.sum_us : times.kinds.front().second;
  return times;
}

}  // namespace warpwright::db
