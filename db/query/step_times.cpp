// Sums of the times of a plan's steps.
#include "db/query/step_times.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace warpwright::db {
namespace {

// One engine executes the steps of a kind one after another. Takes from the time of each what it waited for another
// stream's step.
void leave_out_waiting(std::vector<StepTime>& steps) {
  std::vector<StepTime*> by_end;
  for (StepTime& step : steps)
    if (step.times == 1) by_end.push_back(&step);
  std::ranges::stable_sort(by_end, {}, &StepTime::end_us);
  std::map<std::string, double> engines;  // when the last step ended
  for (StepTime* step : by_end) {
    const auto [ended, is_first] = engines.try_emplace(step->kind, step->end_us);
    if (is_first) continue;
    step->us = std::min(step->us, step->end_us - ended->second);
    ended->second = step->end_us;
  }
}

}  // namespace

double PlanTimes::overlap() const {
  const double possible = sum_us - ideal_us;
  return possible > 0 ? std::clamp((sum_us - span_us) / possible, 0.0, 1.0) : 0;
}

PlanTimes plan_times(const Store& store, Id trial_id) {
  PlanTimes times{.steps = store.steps(trial_id)};
  if (times.steps.empty()) return times;
  const bool is_one_stream =
      std::ranges::all_of(times.steps, [&](const StepTime& step) { return step.stream == times.steps.front().stream; });
  if (!is_one_stream) leave_out_waiting(times.steps);
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
  times.ideal_us = is_one_stream || times.kinds.empty() ? times.sum_us : times.kinds.front().second;
  return times;
}

}  // namespace warpwright::db
