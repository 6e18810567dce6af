// Which predictions of a problem are kept as its finalists: the rule of `tune` and of merging parts.
#pragma once

#include <span>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// The places of these, the fastest first: all of the first one's band, and the few that follow.
std::vector<Ranked> ranked_predictions(std::span<const Trial> fastest_first);

}  // namespace warpwright::db
