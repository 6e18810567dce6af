// Tuning without the GPU: compile everything, judge on the host, count accesses, rank by the model, store as predicted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "db/store/leases.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/outcome.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// What tuning one problem without its GPU gave.
struct PredictedTask {
  TuneOutcome outcome;
  std::string searched;  ///< of which kernels not all configurations were evaluated; empty: of none
};

/// Predicts every point of the tasks' kernels, or as many as there is time for, and ranks them, task after task; `done`
/// hears of each. With a budget the default of every kernel of all tasks comes first, then each task has its share. A
/// trial is stored as soon as it is known.
/// What another run on the database has claimed is left to it, and what comes of it taken over: it counts here too, and
/// is waited for when nothing else is left.
/// The configurations of a covering sample of each space are judged on edge shapes, every other one on the pattern's
/// trace problem, and the best are judged until one has passed.
void predict_tasks(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request,
                   Recorder& recorder, db::Leases& claims, const Budget& budget,
                   const std::function<void(const TuningTask&, const PredictedTask&)>& done);

}  // namespace warpwright::tuner
