// The whole property of what is predicted best.
#pragma once

#include <vector>

#include "db/store/leases.hpp"
#include "tuner/predicting/evaluation_store.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Orders by the model what may be best, and simulator the best by their whole property until one has passed, where
/// there is who simulator and as far as the time goes. What other runs have judged is taken over. Gives the trials that
/// are left, the best first.
std::vector<db::Trial> check_best(const TuningContext& context, const TuningTask& task, EvaluationStore& store,
                                  db::Leases& claims, Budget::End end, std::vector<Evaluation>& rows);

}  // namespace warpwright::tuner
