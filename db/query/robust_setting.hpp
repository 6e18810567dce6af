// The settings to use for several problems: if the data is not known in advance, or for all sizes. Internal to db/.
#pragma once

#include <optional>
#include <vector>

#include "db/query/cells.hpp"
#include "db/query/query.hpp"

namespace warpwright::db {

// Adds to the best configurations of one problem on one board the configuration that serves all its data sets (by time
// only), and the one that serves all its sizes by the objective (unless `by` is empty). `cells` are what the answers
// were chosen from, in the same order.
void add_robust(const Store&, const std::vector<const Cell*>& cells, std::optional<Robust> by,
                std::vector<Best>& answers);

}  // namespace warpwright::db
