// The settings to use if the data is not known in advance. Internal to db/.
#pragma once

#include <vector>

#include "db/query/cells.hpp"
#include "db/query/query.hpp"

namespace warpwright::db {

// Adds to the best configurations of one problem with several data sets, on one board, the configuration that serves
// all data sets. `cells` are what the answers were chosen from, in the same order.
void add_any_data(const Store&, const std::vector<const Cell*>& cells, std::vector<Best>& answers);

}  // namespace warpwright::db
