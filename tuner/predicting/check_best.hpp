// Checks the full property of the configurations that are predicted to be fastest.
#pragma once

#include <vector>

#include "tuner/predicting/work_share.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Cases of the full property.
inline constexpr int kFullPropertyCases = 50;

/// Checks the candidate that db::preferred_prediction chooses in the simulator, and the next one if it is wrong, until
/// one passes or the time is over; without a simulator it checks none. Checks by other runs are reused. Returns the
/// trials of the candidates that were not found wrong, the fastest first.
std::vector<db::Trial> check_best(const TuningContext& context, const TuningTask& task, WorkShare& share,
                                  Budget::End end, std::vector<Evaluation>& evaluations);

}  // namespace warpwright::tuner
