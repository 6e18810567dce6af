// The ranking of what was predicted for a problem, by this run and by those beside it.
#pragma once

#include <vector>

#include "tuner/records/recorder.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Whether the trial has a time, and nothing speaks against its configuration.
bool may_be_best(const db::Trial& trial);

/// Stores the order of these trials, the best first, as that of the task's problem. What runs beside this one have
/// ranked by then stays in it, where it is of the kernels and params that this run was asked for: each of several runs
/// with a budget has looked at a part.
void rank_predicted(Recorder& recorder, const TuningTask& task, const TuningRequest& request, const Device& device,
                    std::vector<db::Trial> trials);

}  // namespace warpwright::tuner
