// Tuning without the GPU: compiles, checks in the simulator, counts accesses, ranks by the cost model.
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

/// The result of tuning one problem without its GPU.
struct PredictedTask {
  TuneOutcome outcome;
  std::string searched;  ///< kernels whose spaces were not searched completely; empty if there are none
};

/// Predicts every configuration of the tasks' kernels, or as many as there is time for, and ranks them, task after
/// task; calls `done` after each. With a budget, the defaults of all kernels of all tasks come first; then each task
/// has its share of the time; a task for which there is no time is done without an evaluation. A trial is stored as
/// soon as it is known. A configuration that another run on the database has leased is left to that run. Its result is
/// taken over and counted; if nothing else is left, this run waits for it. Configurations of a covering sample of each
/// space are checked on edge shapes, the others on the pattern's trace problem; the full property is checked for the
/// fastest until one passes.
void predict_tasks(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request,
                   Recorder& recorder, db::Leases& leases, const Budget& budget,
                   const std::function<void(const TuningTask&, const PredictedTask&)>& done);

}  // namespace warpwright::tuner
