// The times of the steps of a trial's plan, and how much of them overlaps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// Only finalists have step times. The sum of measured ones is larger than the trial's time, because each step is timed
// alone; predicted ones are launches only, one after the other.
struct PlanTimes {
  // By number; empty if the steps were not timed. The time of a step leaves out its wait for a step of the same kind in
  // another stream, which is within its start and end.
  std::vector<StepTime> steps{};
  double span_us = 0;  // from the first start to the last end
  double sum_us = 0;   // of all steps except waits, as if nothing overlapped
  // As if everything overlapped: the largest sum over the steps of one kind, because one engine executes all steps of a
  // kind. For plans with one stream the same as sum_us, because its steps cannot overlap.
  double ideal_us = 0;
  std::vector<std::pair<std::string, double>> kinds{};  // the sums by kind, largest first, without waits

  // The time saved by overlap as a share of the largest possible saving: 0 to 1; 0 if nothing could be saved.
  double overlap() const;
};

PlanTimes plan_times(const Store&, Id trial_id);

}  // namespace warpwright::db
