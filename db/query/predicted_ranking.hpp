// Ranks predicted trials: the rule by which `tune` and merging of shards keep a problem's finalists.
#pragma once

#include <span>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// The ranks of these trials, fastest first: all trials in the band of the first one, and a few more.
std::vector<Ranked> ranked_predictions(std::span<const Trial> fastest_first);

}  // namespace warpwright::db
