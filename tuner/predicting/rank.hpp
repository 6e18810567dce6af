// Ranks the predicted trials of a problem, including those of other runs.
#pragma once

#include <vector>

#include "tuner/predicting/evaluation.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Whether the trial has a predicted time and its configuration was not found wrong.
bool may_be_best(const db::Trial& trial);

/// Stores the order of these trials as the ranking of the task's problem. Trials ranked by concurrent runs are
/// included, if this run's request includes their kernels and params: each of several runs with a budget has searched
/// only a part.
void rank_predicted(Recorder& recorder, const TuningTask& task, const TuningRequest& request, const Device& device,
                    std::vector<db::Trial> trials);

/// Stores the predicted times of the launches of ranked plans that have several, as steps one after the other.
void store_launch_times(Recorder& recorder, const TuningTask& task, const std::vector<Evaluation>& evaluations);

}  // namespace warpwright::tuner
