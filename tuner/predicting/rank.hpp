// Ranks the predicted trials of a problem, those of other runs included.
#pragma once

#include <vector>

#include "tuner/records/recorder.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Whether the trial has a predicted time and its configuration was not found wrong.
bool may_be_best(const db::Trial& trial);

/// Stores the order of these trials as the ranking of the task's problem. Trials that runs at the same time have ranked
/// are included, if they are of the kernels and params that this run was asked for: each of several runs with a budget
/// has searched a part.
void rank_predicted(Recorder& recorder, const TuningTask& task, const TuningRequest& request, const Device& device,
                    std::vector<db::Trial> trials);

}  // namespace warpwright::tuner
