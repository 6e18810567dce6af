// The whole property of what is predicted best.
#pragma once

#include <vector>

#include "db/claims.hpp"
#include "tuner/tune/budget.hpp"
#include "tuner/tune/predict/row_store.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// Orders by the model what may be best, and judges the best by their whole property until one has passed, where there
/// is who judges and as far as the time goes. What other runs have judged is taken over. Gives the trials that are
/// left, the best first.
std::vector<db::Trial> judge_best(const Workshop& shop, const TuneItem& item, RowStore& store, db::Claims& claims,
                                  Budget::End end, std::vector<PredictedRow>& rows);

}  // namespace warpwright::tuner
