// Ranks predicted trials: the rule by which `tune` and merging of shards keep a problem's finalists.
#pragma once

#include <span>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// The trial to prefer: of those within the model's error of the fastest, the one that loses least at other sizes and on
// other boards that the database has; if there are none, the fastest. All are of one problem and board, and there is at
// least one.
const Trial* preferred_prediction(const Store&, std::span<const Trial* const> fastest_first);

// The ranks of these trials: first all within the model's error of the fastest, those that passed the full property
// before the others, and the preferred ones first; then a few more, fastest first.
std::vector<Ranked> ranked_predictions(const Store&, std::span<const Trial> fastest_first);

}  // namespace warpwright::db
