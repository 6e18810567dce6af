// The whole property of what is predicted best.
#pragma once

#include <vector>

#include "db/store/leases.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/predicting/evaluation_store.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Orders by the model what may be best, and judges the best by their whole property until one has passed, where there
/// is who judges and as far as the time goes. What other runs have judged is taken over. Gives the trials that are
/// left, the best first.
std::vector<db::Trial> judge_best(const Workshop& shop, const TuneItem& item, RowStore& store, db::Claims& claims,
                                  Budget::End end, std::vector<PredictedRow>& rows);

}  // namespace warpwright::tuner
