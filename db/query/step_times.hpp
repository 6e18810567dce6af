// The times of the steps of a trial's plan: where its time goes, and how much of it overlaps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// Only finalists have step times. Their sum is above the trial's time, since each step is timed alone.
struct PlanTimes {
  std::vector<StepTime> steps{};  // by number; empty if the steps were not timed
  double span_us = 0;             // from the first begin to the last end
  double sum_us = 0;              // of all steps but waits, as if nothing overlapped
  // As if everything overlapped: the sum over the steps of one kind that is largest, since one engine does all of one
  // kind. For plans of one stream the same as sum_us: its steps cannot overlap.
  double ideal_us = 0;
  std::vector<std::pair<std::string, double>> kinds{};  // the sums by kind, largest first, without waits

  // The share of what overlapping could save that it saves: 0 to 1; 0 if nothing could be saved.
  double overlap() const;
};

PlanTimes plan_times(const Store&, Id trial_id);

}  // namespace warpwright::db
